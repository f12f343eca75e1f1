use std::{
    io,
    net::{IpAddr, SocketAddr, TcpListener, TcpStream},
    time::Duration,
};

use socket2::{Domain, Socket, Type};

use crate::{Control, Deadline, Side, gate, handshake::Terms};

/// The two addresses between which a link's bytes travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    pub here: IpAddr,
    pub there: IpAddr,
}

/// The longest address as text.
const ADDRESS_MAX: usize = 64;
/// How long a connection along one route may take.
const PATIENCE: Duration = Duration::from_secs(2);

impl Route {
    pub fn new(here: IpAddr, there: IpAddr) -> Self {
        Self { here: here.to_canonical(), there: there.to_canonical() }
    }

    pub fn of(stream: &TcpStream) -> io::Result<Self> {
        Ok(Self::new(stream.local_addr()?.ip(), stream.peer_addr()?.ip()))
    }
}

/// A connection for a [`Pulse`](crate::Pulse) along each route of a link that `control` does not take itself, or why there is none.
/// Both ends call this at the same time; the lead's `routes` count.
pub(crate) fn connect(
    control: &mut TcpStream,
    side: Side,
    routes: Vec<Route>,
    terms: &Terms,
    deadline: Deadline,
) -> io::Result<Vec<Result<TcpStream, String>>> {
    let mut streams = Vec::new();
    let watched = Route::of(control)?;
    let mut ours = Vec::new();
    for route in routes {
        if route != watched && !ours.contains(&route) {
            ours.push(route);
        }
    }
    let mut next = ours.iter();
    loop {
        let opened = match side {
            Side::Lead => {
                let Some(route) = next.next() else {
                    control.send(&[], deadline)?;
                    return Ok(streams);
                };
                let listening =
                    TcpListener::bind((route.here, 0)).and_then(|at| Ok((at.local_addr()?.to_string(), at)));
                let (address, listener) = match listening {
                    Ok(listening) => listening,
                    Err(why) => {
                        streams.push(Err(format!("cannot listen on {}: {why}", route.here)));
                        continue;
                    }
                };
                control.send(address.as_bytes(), deadline)?;
                let admitted = gate::admit(&listener, 1, terms, patience(deadline));
                admitted.map(|mut streams| streams.pop().map(|(stream, _)| stream))
            }
            Side::Follow => {
                let address = control.recv(ADDRESS_MAX, deadline)?;
                if address.is_empty() {
                    return Ok(streams);
                }
                call(&address, &ours, terms, patience(deadline)).map(Some)
            }
        };
        control.send(&[opened.is_ok().into()], deadline)?;
        let theirs = control.recv(1, deadline)?;
        streams.push(match opened {
            Ok(Some(stream)) if theirs == [1] => Ok(stream),
            Ok(_) => Err("the other end found no way".into()),
            Err(why) => Err(why.to_string()),
        });
    }
}

fn patience(deadline: Deadline) -> Deadline {
    Deadline::after(deadline.remaining().min(PATIENCE))
}

/// From our end of the route, where several networks have addresses alike, as those that assign their own do.
fn call(address: &[u8], routes: &[Route], terms: &Terms, deadline: Deadline) -> io::Result<TcpStream> {
    let address: Option<SocketAddr> = std::str::from_utf8(address).ok().and_then(|text| text.parse().ok());
    let address = address.ok_or_else(|| io::Error::other("the other end named no address"))?;
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    if let Some(route) = routes.iter().find(|route| route.there == address.ip().to_canonical()) {
        socket.bind(&SocketAddr::new(route.here, 0).into())?;
    }
    socket.connect_timeout(&address.into(), deadline.remaining().max(Duration::from_millis(1)))?;
    let mut stream = TcpStream::from(socket);
    gate::call(&mut stream, 0, terms, deadline)?;
    stream.set_nodelay(true)?;
    Ok(stream)
}
