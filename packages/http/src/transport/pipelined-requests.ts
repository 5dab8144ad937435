import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that may wait on one connection, about 5 kB each. */
export const maxPipelined = 32;

interface Turn {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Of one connection. */
interface State {
  /** A request is handled. */
  isBusy: boolean;
  waiting: Turn[];
}

/**
 * Handles the requests of one connection one after the other, each in a turn of the event loop of its own, so that a
 * client that sends many without waiting (RFC 9112 9.3.2) delays no other connection. One that lets more than
 * `maxPipelined` wait is disconnected: the requests of a packet are parsed at one go, and Node can't stop between them. `onExcess` hears of it.
 * A request that waited is handled once its client has read enough of the responses before, as `room` says: null for at once.
 */
export function oneAtATime(
  handle: RequestListener,
  onExcess: (socket: Socket) => void = () => {},
  room: (socket: Socket) => Promise<void> | null = () => null,
): RequestListener {
  const states = new WeakMap<Socket, State>();

  // One function for all responses, since this is on the way of every request.
  function finish(this: ServerResponse): void {
    const { socket } = this.req;
    const state = states.get(socket);
    if (state === undefined) return;
    if (state.waiting.length === 0) state.isBusy = false;
    else setImmediate(next, socket, state);
  }

  const run = ({ request, response }: Turn): void => {
    response.on("close", finish);
    handle(request, response);
  };

  const runNext = (socket: Socket, state: State): void => {
    const turn = state.waiting.shift();
    if (turn !== undefined && !socket.destroyed) run(turn);
  };

  const next = (socket: Socket, state: State): void => {
    const wait = room(socket);
    if (wait === null) runNext(socket, state);
    else void wait.then(() => runNext(socket, state));
  };

  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    let state = states.get(socket);
    if (state === undefined) {
      state = { isBusy: false, waiting: [] };
      states.set(socket, state);
    }
    if (!state.isBusy) {
      state.isBusy = true;
      run({ request, response });
    } else if (state.waiting.push({ request, response }) > maxPipelined) {
      onExcess(socket);
      socket.destroy();
    }
  };
}
