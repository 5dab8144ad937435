import { activeTracer, type SpanOptions } from "@beatmarket/foundation/tracing/tracing.ts";
import { Client, type ClientConfig, Query, types } from "pg";

const connectTimeoutMs = 10_000;
const keepAliveAfterMs = 60_000;

const bigint = 20;
const bigintArray = 1016;
const integerArray = 1007;

/** Parses a bigint as a JavaScript number: ids, counts and cents stay far below 2^53. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: "text" | "binary") => {
  if (oid === bigint) return Number;
  return types.getTypeParser(oid === bigintArray ? integerArray : oid, format as "text");
};

/** The messages of errors that pg throws, without a code, for a lost connection. */
const pgConnectionErrors = /^(Connection terminated|Client has encountered a connection error|Client was closed)/;

/**
 * A client of pg. A lost connection does not crash the process: its statements reject with an error whose code comes
 * from PostgreSQL or the network, or is CONNECTION_CLOSED or CONNECT_TIMEOUT. A lost connection is never reopened, so
 * that no statement of its transaction can run on another connection.
 */
export class Connection extends Client {
  #lossCause: Error | null = null;

  constructor(config: ClientConfig = {}) {
    super({
      ...config,
      types: { getTypeParser },
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
    });
    // Without a listener, an error of an idle connection would crash the process.
    this.on("error", (error) => {
      this.#lossCause ??= error;
    });
  }

  get isLost(): boolean {
    return this.#lossCause !== null;
  }

  // biome-ignore lint/suspicious/noExplicitAny: overrides the overloads of Client.connect.
  override connect(callback?: (error: any, client?: any) => void): any {
    if (callback === undefined)
      return new Promise((resolve, reject) => this.connect((error) => (error ? reject(error) : resolve(this))));
    super.connect((error: Error | null) => {
      if (error) this.#lossCause ??= error;
      callback(error && this.#explain(error), this);
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: overrides the overloads of Client.query.
  override query(statement: any, values?: any, callback?: any): any {
    if (typeof statement.submit === "function" || typeof (callback ?? values) === "function")
      return super.query(statement, values, callback);
    const tracer = activeTracer();
    if (tracer === null || !tracer.isRecording) return this.#run(statement, values);
    return tracer.inSpan(...statementSpan(statement), () => this.#run(statement, values));
  }

  // biome-ignore lint/suspicious/noExplicitAny: has the types of Client.query.
  #run(statement: any, values?: any): Promise<any> {
    // Not pg's own promise: its query references it, so a minor garbage collection could not free it.
    return new Promise((resolve, reject) => {
      super.query(
        new Query(statement, values, (error, result) => {
          if (error) reject(this.#explain(error));
          else resolve(result);
        }),
      );
    });
  }

  /** Closes the connection immediately. Running statements reject. */
  destroy(): void {
    this.connection.stream.destroy();
  }

  #explain(error: Error & { code?: string; severity?: string }): Error {
    if (error.severity === "FATAL" || error.severity === "PANIC") {
      this.#lossCause ??= error;
      // The server is about to close the connection, so the pool must not reuse it.
      void this.end();
    }
    if (error.code !== undefined) return error;
    if (error.message === "timeout expired") return coded(error, "CONNECT_TIMEOUT");
    return pgConnectionErrors.test(error.message) ? connectionLost(this.#lossCause ?? error) : error;
  }
}

/** Name and options of a statement's span. The SQL text has placeholders instead of values. */
function statementSpan(statement: string | { text: string }): [string, SpanOptions] {
  const text = typeof statement === "string" ? statement : statement.text;
  const [operation = ""] = /[a-z]+/i.exec(text) ?? [];
  const attributes = {
    "db.system.name": "postgresql",
    "db.operation.name": operation.toLowerCase(),
    "db.query.text": text,
  };
  return [`postgresql ${attributes["db.operation.name"]}`, { kind: "client", attributes }];
}

/** The error for a statement on a lost connection, with the code of the cause, or CONNECTION_CLOSED. */
export function connectionLost(cause: Error & { code?: string }): Error {
  return coded(cause, cause.code ?? "CONNECTION_CLOSED");
}

const coded = (cause: Error, code: string): Error =>
  Object.assign(new Error(`The connection to PostgreSQL is lost: ${cause.message}`, { cause }), { code });
