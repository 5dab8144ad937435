import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that may wait on one connection, about 5 kB each. */
export const maxPipelined = 32;

interface Turn {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Handles the requests of one connection one after the other, each in a turn of the event loop of its own, so that a
 * client that sends many without waiting (RFC 9112 9.3.2) delays no other connection. One that lets more than
 * `maxPipelined` wait is disconnected: the requests of a packet are parsed at one go, and Node can't stop between them. `onExcess` hears of it.
 */
export function oneAtATime(handle: RequestListener, onExcess: (socket: Socket) => void = () => {}): RequestListener {
  /** The requests that wait, for each connection with one that is handled. */
  const waiting = new WeakMap<Socket, Turn[]>();

  const run = ({ request, response }: Turn, turns: Turn[]): void => {
    response.once("close", () => {
      if (turns.length === 0) waiting.delete(request.socket);
      else setImmediate(next, request.socket, turns);
    });
    handle(request, response);
  };

  const next = (socket: Socket, turns: Turn[]): void => {
    const turn = turns.shift();
    if (turn !== undefined && !socket.destroyed) run(turn, turns);
  };

  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const turns = waiting.get(socket);
    if (turns === undefined) {
      const none: Turn[] = [];
      waiting.set(socket, none);
      run({ request, response }, none);
    } else if (turns.push({ request, response }) > maxPipelined) {
      onExcess(socket);
      socket.destroy();
    }
  };
}
