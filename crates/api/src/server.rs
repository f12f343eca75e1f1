//! The routes, and the socket they are served on.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

use crate::connections::{Connection, Connections};
use crate::front::{Front, Settings, pass};
use crate::{Failure, Service, anthropic, management, ollama, openai, operations};

/// All dialects over one service.
#[derive(Clone)]
pub struct Server {
    front: Arc<Front>,
    router: Router,
}

impl Server {
    pub fn new(service: Arc<dyn Service>, settings: Settings) -> Server {
        // Ollama's clients ask here whether somebody is in.
        let page = Router::new().route("/", get(|| async { "Tandem is running" }));
        Server::with_pages(service, settings, page)
    }

    /// With routes of somebody else beside ours, such as a dashboard's at `/`; they pass the same gate, and need no key at `/`
    /// and below `/page/`.
    pub fn with_pages(service: Arc<dyn Service>, settings: Settings, pages: Router) -> Server {
        let front = Front::new(service, settings);
        let router = Router::new()
            .merge(openai::routes())
            .merge(anthropic::routes())
            .merge(ollama::routes())
            .merge(operations::routes())
            .merge(management::routes())
            .fallback(|| async { Failure::NotFound("nothing is served here; /docs lists what is".into()) })
            .method_not_allowed_fallback(|| async { Failure::Method })
            .with_state(Arc::clone(&front))
            .merge(pages)
            .layer(from_fn_with_state(Arc::clone(&front), pass));
        Server { front, router }
    }

    /// The routes as a plain tower service, for tests and for other sockets.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// Serves until `stop` is ready, then takes no more connections and waits up to `drain` for answers in flight.
    pub async fn run(self, listener: TcpListener, stop: impl Future<Output = ()>, drain: Duration) {
        let settings = &self.front.settings;
        let connections = Connections::new(settings.connections_max, settings.connections_per_address_max);
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(settings.headers_within).max_buf_size(64 << 10);
        // A client may close its sending side and still wait; one that has left is noticed when it is written to.
        http.half_close(true);
        let graceful = GracefulShutdown::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut stop => break,
            };
            let Ok((socket, from)) = accepted else {
                // Out of file descriptors, mostly: connections that end make room.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            let Some(place) = connections.take(from.ip()) else {
                // One more would not be served any sooner if it waited here.
                continue;
            };
            let _ = socket.set_nodelay(true);
            let connection = Arc::clone(&place.connection);
            let service =
                TowerToHyperService::new(Connected { router: self.router.clone(), from, connection });
            let served = graceful.watch(http.serve_connection(TokioIo::new(socket), service));
            tokio::spawn(async move {
                tokio::select! {
                    _ = served => {}
                    () = place.connection.closed() => {}
                }
            });
        }
        drop(listener);
        self.front.stopping.send_replace(true);
        let _ = tokio::time::timeout(drain, graceful.shutdown()).await;
    }
}

/// The routes for one connection, which remember who called.
#[derive(Clone)]
struct Connected {
    router: Router,
    from: SocketAddr,
    connection: Arc<Connection>,
}

impl tower::Service<hyper::Request<hyper::body::Incoming>> for Connected {
    type Response = axum::response::Response;
    type Error = std::convert::Infallible;
    type Future = axum::routing::future::RouteFuture<std::convert::Infallible>;

    fn poll_ready(
        &mut self,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), Self::Error>> {
        tower::Service::<hyper::Request<hyper::body::Incoming>>::poll_ready(&mut self.router, context)
    }

    fn call(&mut self, mut request: hyper::Request<hyper::body::Incoming>) -> Self::Future {
        request.extensions_mut().insert(ConnectInfo(self.from));
        request.extensions_mut().insert(Arc::clone(&self.connection));
        self.router.call(request)
    }
}
