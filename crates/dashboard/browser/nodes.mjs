// Nodes of a cluster on this machine: homes of their own, loopback only, ended with the test.

import { execFile, spawn } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export class Nodes {
  constructor(binary) {
    this.binary = binary;
    this.folder = mkdtempSync(join(tmpdir(), "tandem-page-"));
    this.running = new Map();
  }

  home(name) {
    return { ...process.env, TANDEM_HOME: join(this.folder, name) };
  }

  /** Starts a node and waits until it serves; its address. */
  async up(name, ...options) {
    const log = join(this.folder, `${name}.log`);
    // Threads: several nodes share the cores of this machine.
    const args = ["up", "--name", name, "--port", "0", "--cluster-port", "0", "--no-discovery", "--threads", "1", ...options];
    const child = spawn(this.binary, args, { env: this.home(name), stdio: ["ignore", "pipe", openSync(log, "a")] });
    this.running.set(name, child);
    for await (const line of createInterface(child.stdout)) {
      const address = /http:\/\/[^\s]+/.exec(line)?.[0];
      if (address) return address;
    }
    throw new Error(`${name} did not start:\n${readFileSync(log, "utf8")}`);
  }

  /** As a crash does it: at once, with what it was doing. */
  kill(name) {
    const child = this.running.get(name);
    this.running.delete(name);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    return ended;
  }

  run(name, ...args) {
    return new Promise((resolve, reject) => execFile(this.binary, args, { env: this.home(name) }, (error, stdout, stderr) => (error ? reject(new Error(`${args.join(" ")}: ${stderr}`)) : resolve(stdout))));
  }

  logs() {
    return [...this.running.keys()].map((name) => `--- ${name}\n${readFileSync(join(this.folder, `${name}.log`), "utf8").slice(-3000)}`).join("\n");
  }

  async end() {
    await Promise.all([...this.running.keys()].map((name) => this.kill(name)));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
