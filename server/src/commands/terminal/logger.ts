import type { Logger } from "pino";
import pino from "pino";
import type { Config } from "../../config.ts";

/** Logs to standard error, since standard output contains only a command's result. */
export function createLogger({ logLevel }: Pick<Config, "logLevel">): Logger {
  const options = { level: logLevel, redact: ["req.headers.authorization", "*.password", "*.key"] };
  return process.stderr.isTTY
    ? pino({ ...options, transport: { target: "pino-pretty", options: { destination: 2, ignore: "pid,hostname" } } })
    : pino(options, pino.destination(2));
}
