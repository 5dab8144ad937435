import lightMyRequest, { type InjectOptions, type Response } from "light-my-request";
import type { Pipeline } from "../src/pipeline/pipeline.ts";

/** Sends a request through the pipeline without a network. */
export const inject = (app: Pick<Pipeline, "handle">, options: InjectOptions | string): Promise<Response> =>
  lightMyRequest((request, response) => void app.handle(request as never, response as never), options);
