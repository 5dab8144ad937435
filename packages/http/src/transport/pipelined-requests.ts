import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Maximum number of requests that wait on one connection. A request takes about 5 kB. */
export const maxPipelined = 32;

interface Turn {
  request: IncomingMessage;
  response: ServerResponse;
}

/** The state of one connection. */
interface State {
  /** Whether a request is being handled. */
  isBusy: boolean;
  waiting: Turn[];
}

/**
 * Handles the requests of one connection one after another, each in its own turn of the event loop, so that a client
 * that pipelines many requests (RFC 9112 9.3.2) delays no other connection. Disconnects a client with more than
 * `maxPipelined` waiting requests and calls `onExcess`, since Node parses all requests of a packet without a pause. A
 * waiting request is handled when the client has read enough of the earlier responses: when the promise of `room`
 * resolves, or immediately if `room` returns null.
 */
export function oneAtATime(
  handle: RequestListener,
  onExcess: (socket: Socket) => void = () => {},
  room: (socket: Socket) => Promise<void> | null = () => null,
): RequestListener {
  const states = new WeakMap<Socket, State>();

  // One function for all responses, since every request uses it.
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
