// A server on loopback that behaves like a model hub with one model, whose file comes in two halves: the second when told to.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import http from "node:http";

export class Hub {
  constructor(id, file) {
    this.id = id;
    this.bytes = readFileSync(file);
    this.hash = createHash("sha256").update(this.bytes).digest("hex");
    this.released = new Promise((resolve) => (this.release = resolve));
    this.server = http.createServer((request, answer) => this.answer(request, answer));
  }

  /** Its address. */
  async start() {
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  async answer(request, answer) {
    const path = request.url.split("?")[0];
    const size = this.bytes.length;
    if (path === `/api/models/${this.id}`) {
      const siblings = [{ rfilename: "model-Q4_1.gguf", size, lfs: { sha256: this.hash, size } }];
      return answer.end(JSON.stringify({ id: this.id, sha: "1".repeat(40), siblings }));
    }
    // As the real one does, it sends those who want a large file elsewhere.
    if (path.startsWith(`/${this.id}/resolve/`)) {
      return answer.writeHead(302, { location: `/blob/${this.hash}`, "x-linked-etag": `"${this.hash}"`, "x-linked-size": size }).end();
    }
    if (path !== `/blob/${this.hash}`) return answer.writeHead(404).end();
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    answer.writeHead(from ? 206 : 200, { "content-length": size - from, ...(from && { "content-range": `bytes ${from}-${size - 1}/${size}` }) });
    const half = Math.max(from, size >> 1);
    answer.write(this.bytes.subarray(from, half));
    await this.released;
    answer.end(this.bytes.subarray(half));
  }

  end() {
    this.release();
    this.server.close();
    this.server.closeAllConnections();
  }
}
