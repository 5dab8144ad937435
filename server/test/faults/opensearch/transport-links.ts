import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

interface Connection {
  near: Socket;
  /** Null while the link is cut. */
  far: Socket | null;
  to: number;
}

interface Isolated {
  node: number;
  process: number;
}

/**
 * TCP proxies in front of the ports by which nodes communicate. An isolated node sends and receives nothing, and its
 * connections stay open, as if a network cable were pulled.
 */
export class TransportLinks {
  /** The ports on which the nodes listen. The other nodes reach them by `publicPorts`. */
  readonly ports: readonly number[];
  readonly #servers: readonly Server[];
  readonly #connections = new Set<Connection>();
  #isolated: Isolated | null = null;

  private constructor(ports: readonly number[]) {
    this.ports = ports;
    this.#servers = ports.map((_, node) =>
      createServer({ pauseOnConnect: true }, (near) => void this.#accept(near, node)),
    );
  }

  static async open(ports: readonly number[]): Promise<TransportLinks> {
    const links = new TransportLinks(ports);
    await Promise.all(links.#servers.map((server) => once(server.listen(0, "127.0.0.1"), "listening")));
    return links;
  }

  get publicPorts(): number[] {
    return this.#servers.map((server) => (server.address() as AddressInfo).port);
  }

  async cutOff(node: number, process: number): Promise<void> {
    this.#isolated = { node, process };
    const ownPorts = await localPorts(process);
    for (const connection of this.#connections) if (this.#isCut(connection, ownPorts)) stop(connection);
  }

  /** Ends the connections that were cut, so that the nodes connect again. */
  rejoin(): void {
    this.#isolated = null;
    for (const { near, far } of this.#connections) if (far === null) near.destroy();
  }

  close(): void {
    for (const { near } of this.#connections) near.destroy();
    for (const server of this.#servers) server.close();
  }

  async #accept(near: Socket, to: number): Promise<void> {
    const connection: Connection = { near, far: null, to };
    this.#connections.add(connection);
    near.on("error", () => {});
    near.once("close", () => this.#connections.delete(connection));
    if (this.#isolated !== null && this.#isCut(connection, await localPorts(this.#isolated.process))) return;
    const far = connect(this.ports[to] as number, "127.0.0.1");
    connection.far = far;
    near.pipe(far).pipe(near);
    far.on("error", () => {});
    far.once("close", () => near.destroy());
    near.once("close", () => far.destroy());
  }

  /** `ownPorts`: the ports from which the isolated node has connected. */
  #isCut({ near, to }: Connection, ownPorts: ReadonlySet<number>): boolean {
    return to === this.#isolated?.node || ownPorts.has(near.remotePort ?? 0);
  }
}

function stop(connection: Connection): void {
  const { near, far } = connection;
  if (far === null) return;
  near.unpipe(far).pause();
  far.unpipe(near).pause();
  connection.far = null;
}

/** The local ports of a process's TCP connections, from /proc. */
async function localPorts(process: number): Promise<Set<number>> {
  const folder = `/proc/${process}/fd`;
  const links = await Promise.all((await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => "")));
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  const rows = tables.flatMap((table) => table.split("\n").map((line) => line.trim().split(/\s+/)));
  return new Set(
    rows.flatMap(([, local = "", , , , , , , , inode = ""]) =>
      inodes.has(inode) ? [Number.parseInt(local.split(":")[1] ?? "", 16)] : [],
    ),
  );
}
