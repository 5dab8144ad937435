import type { Server } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import { clientNetwork, type WiderNetwork, widerNetworks } from "../admission/client-network.ts";
import type { ConnectionCounts, Standing } from "./connection-counts.ts";
import { resetConnection, tcpSocketOf } from "./tcp-socket.ts";

/**
 * About 50 kB each; 180 kB with a large unread response. Enough for 10,000 clients that wait for changes and 2,000 that
 * work.
 */
export const maxConnections = 12_000;
/** Limit of connections of strangers: without a valid key or session, and from an unknown network. */
export const maxStrangers = 10_000;
/**
 * Limit of one client network: more than a large office behind one address needs, 1/47 of the total. A /56 may have
 * twice as many connections, a /48 four times as many.
 */
export const maxConnectionsOfNetwork = 256;
/** A connection that is closed because of what it sent counts as this many new connections. */
const penalty = 25;
/** Added to Node's own limit, which also counts connections that are being closed. */
const closingConnections = 1_000;

interface Connection {
  tcp: Socket;
  network: string;
  wider: readonly WiderNetwork[];
  standing: Standing;
  /** One for the connection, and one for each further request in flight (HTTP/2). */
  places: number;
  release: () => void;
}

/**
 * Limits the open connections of each client network, and the rate of its new connections without a valid key or
 * session. Closes connections above the limits as they are accepted. If the total is reached, closes the oldest
 * connection without a valid key or session for the new connection. Reserves a part of the total for known networks. A
 * peer that `standsForMany` clients, such as a proxy, has no limits.
 */
export class ConnectionLimits {
  readonly #standsForMany: (address: string) => boolean;
  readonly #connections = new WeakMap<Socket, Connection>();
  /** Connections that may be closed for new connections, oldest first. */
  readonly #closable = { stranger: new Set<Connection>(), known: new Set<Connection>() };
  readonly #counts: ConnectionCounts;
  readonly #vouchedFor = new WeakSet<Socket>();
  /** Number of connections that were closed immediately after they were accepted, since start. */
  refused = 0;
  /** Number of connections that were closed to admit new connections, since start. */
  displaced = 0;

  constructor(counts: ConnectionCounts, standsForMany: (address: string) => boolean) {
    this.#counts = counts;
    this.#standsForMany = standsForMany;
  }

  /** The number of counted connections and running HTTP/2 requests: in total, and of the network with the most. */
  get open(): { all: number; ofOneNetwork: number } {
    return this.#counts.run(() => {
      const { stranger, known, vouchedFor } = this.#counts.totals;
      return { all: stranger + known + vouchedFor, ofOneNetwork: this.#counts.mostOfOneNetwork };
    });
  }

  /** Limits the connections of a server. Call it after listeners for "connection" were added. */
  apply(server: Server | HttpsServer): void {
    server.maxConnections = maxConnections + closingConnections;
    const accept = server.listeners("connection");
    server.removeAllListeners("connection");
    server.on("connection", (socket: Socket) => {
      if (this.#counts.run(() => this.#admit(socket))) for (const each of accept) each.call(server, socket);
      else {
        this.refused++;
        socket.destroy();
      }
    });
  }

  /**
   * Call it when a valid key or session came over this connection. The connection and its network then no longer count
   * as strangers.
   */
  vouchFor(socket: Socket): void {
    if (this.#vouchedFor.has(socket)) return;
    this.#vouchedFor.add(socket);
    const connection = this.#connections.get(tcpSocketOf(socket));
    if (connection === undefined || connection.standing === "standsForMany") return;
    this.#addTokens(connection, 1);
    this.#counts.run(() => {
      this.#counts.remember(connection.network);
      const { places } = connection;
      this.#count(connection, -places);
      this.#removeClosable(connection);
      connection.standing = "vouchedFor";
      this.#count(connection, places);
    });
  }

  /**
   * Closes the oldest closable connection of this standing and network (null: any network), for a connection that
   * another thread accepts.
   */
  makeRoomFor(standing: "stranger" | "known", network: string | null): void {
    this.#counts.run(() => this.#displaceOwn(standing, (each) => network === null || each.network === network));
  }

  /**
   * Counts a connection that had to be closed as several connections, so that a client gains nothing by reconnecting.
   */
  penalize(socket: Socket): void {
    const connection = this.#connections.get(tcpSocketOf(socket));
    if (connection !== undefined) this.#addTokens(connection, -penalty);
  }

  /**
   * Takes a place for a further request in flight on a connection (HTTP/2). The place counts towards the network's
   * limit like a connection. Returns a function that releases the place; null if no place is free.
   */
  takePlace(socket: Socket): (() => void) | null {
    const connection = this.#connections.get(tcpSocketOf(socket));
    if (connection === undefined || connection.standing === "standsForMany") return () => {};
    const release = this.#counts.run(() => this.#acquire(connection));
    return release === null ? null : () => this.#counts.run(release);
  }

  #admit(tcp: Socket): boolean {
    const { remoteAddress: address = "" } = tcp;
    const network = clientNetwork(address);
    const standing = this.#standingOf(address, network);
    const connection: Connection = {
      tcp,
      network,
      wider: standing === "stranger" ? widerNetworks(address) : [],
      standing,
      places: 0,
      release: () => {},
    };
    if (standing !== "standsForMany" && !this.#takeTokens(connection)) return false;
    const release = this.#acquire(connection);
    if (release === null) return false;
    connection.release = () => {
      this.#removeClosable(connection);
      release();
    };
    this.#connections.set(tcp, connection);
    if (standing === "stranger" || standing === "known") this.#closable[standing].add(connection);
    tcp.once("close", () => this.#counts.run(connection.release));
    return true;
  }

  #standingOf(address: string, network: string): Standing {
    if (this.#standsForMany(address)) return "standsForMany";
    return this.#counts.isKnown(network) ? "known" : "stranger";
  }

  #acquire(connection: Connection): (() => void) | null {
    if (!this.#isWithinNetwork(connection) || !this.#makeRoom(connection)) return null;
    this.#count(connection, 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#count(connection, -1);
      isHeld = false;
    };
  }

  /**
   * Returns whether the network has a free place. If a known network is full, first closes one of its connections
   * without a valid key or session.
   */
  #isWithinNetwork(connection: Connection): boolean {
    const { network, wider, standing } = connection;
    if (standing === "standsForMany") return true;
    const isFull = (name: string, times: number) => this.#counts.placesOf(name) >= maxConnectionsOfNetwork * times;
    if (standing === "stranger" && wider.some(({ name, times }) => isFull(name, times))) return false;
    if (!isFull(network, 1)) return true;
    return (
      standing !== "stranger" &&
      (this.#displace("stranger", connection, network) || this.#displace("known", connection, network))
    );
  }

  #makeRoom(connection: Connection): boolean {
    const { stranger, known, vouchedFor, standsForMany } = this.#counts.totals;
    const isStranger = connection.standing === "stranger";
    if (isStranger && stranger >= maxStrangers) return this.#displace("stranger", connection);
    if (stranger + known + vouchedFor + standsForMany < maxConnections) return true;
    return this.#displace("stranger", connection) || (!isStranger && this.#displace("known", connection));
  }

  /**
   * Closes the oldest closable connection of this standing and network (null: any). If there is none, asks the other
   * threads, and returns false.
   */
  #displace(standing: "stranger" | "known", newcomer: Connection, network: string | null = null): boolean {
    const isEligible = (each: Connection) => each !== newcomer && (network === null || each.network === network);
    if (this.#displaceOwn(standing, isEligible)) return true;
    this.#counts.askOthers(standing, network);
    return false;
  }

  #displaceOwn(standing: "stranger" | "known", isEligible: (connection: Connection) => boolean): boolean {
    for (const connection of this.#closable[standing]) {
      if (!isEligible(connection)) continue;
      this.displaced++;
      connection.release();
      resetConnection(connection.tcp);
      return true;
    }
    return false;
  }

  #count(connection: Connection, places: number): void {
    const { network, wider, standing } = connection;
    connection.places += places;
    this.#counts.addTotal(standing, places);
    if (standing === "standsForMany") return;
    for (const name of standing === "stranger" ? [network, ...wider.map((each) => each.name)] : [network])
      this.#counts.add(name, places);
  }

  #removeClosable(connection: Connection): void {
    this.#closable.stranger.delete(connection);
    this.#closable.known.delete(connection);
  }

  /** A wider network's bucket is larger, so a connection takes only a fraction of a token. */
  #takeTokens({ network, wider }: Connection): boolean {
    if (!this.#counts.opened.take(network)) return false;
    return wider.every(({ name, times }) => this.#counts.opened.take(name, 1 / times));
  }

  #addTokens({ network, wider }: Connection, tokens: number): void {
    this.#counts.opened.add(network, tokens);
    for (const { name, times } of wider) this.#counts.opened.add(name, tokens / times);
  }
}
