import { activeTracer, type SpanOptions } from "@beatmarket/foundation/tracing/tracing.ts";
import { Client, type ClientConfig, Query, types } from "pg";

const connectTimeoutMs = 10_000;
const keepAliveAfterMs = 60_000;

const bigint = 20;
const bigintArray = 1016;
const integerArray = 1007;

/** A bigint is read as a JavaScript number: ids, counts and cents stay far below 2^53. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: "text" | "binary") => {
  if (oid === bigint) return Number;
  return types.getTypeParser(oid === bigintArray ? integerArray : oid, format as "text");
};

/** What pg throws, without a code, for a connection that is gone. */
const pgLosses = /^(Connection terminated|Client has encountered a connection error|Client was closed)/;

/**
 * A client of pg that a lost connection can neither end the process with nor leave without a cause: every statement
 * rejects with an error that has a code, of PostgreSQL, of the network, or CONNECTION_CLOSED or CONNECT_TIMEOUT. A lost
 * connection is never opened again, so no statement of its transaction can run elsewhere.
 */
export class Connection extends Client {
  #loss: Error | null = null;

  constructor(config: ClientConfig = {}) {
    super({
      ...config,
      types: { getTypeParser },
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
    });
    // Without a listener, an error of an idle connection would end the process.
    this.on("error", (error) => {
      this.#loss ??= error;
    });
  }

  get isLost(): boolean {
    return this.#loss !== null;
  }

  // biome-ignore lint/suspicious/noExplicitAny: it has the overloads of Client.connect.
  override connect(callback?: (error: any, client?: any) => void): any {
    if (callback === undefined)
      return new Promise((resolve, reject) => this.connect((error) => (error ? reject(error) : resolve(this))));
    super.connect((error: Error | null) => {
      if (error) this.#loss ??= error;
      callback(error && this.#explain(error), this);
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: it has the overloads of Client.query.
  override query(statement: any, values?: any, callback?: any): any {
    if (typeof statement.submit === "function" || typeof (callback ?? values) === "function")
      return super.query(statement, values, callback);
    const tracer = activeTracer();
    if (tracer === null || !tracer.isRecording) return this.#run(statement, values);
    return tracer.inSpan(...statementSpan(statement), () => this.#run(statement, values));
  }

  // biome-ignore lint/suspicious/noExplicitAny: what Client.query takes and resolves to.
  #run(statement: any, values?: any): Promise<any> {
    // A promise of pg's is held by its own query, which V8 does not free in the young generation.
    return new Promise((resolve, reject) => {
      super.query(
        new Query(statement, values, (error, result) => {
          if (error) reject(this.#explain(error));
          else resolve(result);
        }),
      );
    });
  }

  /** Closes the connection at once. Statements under way reject. */
  destroy(): void {
    this.connection.stream.destroy();
  }

  #explain(error: Error & { code?: string; severity?: string }): Error {
    if (error.severity === "FATAL" || error.severity === "PANIC") {
      this.#loss ??= error;
      // Before the pool gets it back: the server closes it in a moment.
      void this.end();
    }
    if (error.code !== undefined) return error;
    if (error.message === "timeout expired") return coded(error, "CONNECT_TIMEOUT");
    return pgLosses.test(error.message) ? connectionLost(this.#loss ?? error) : error;
  }
}

/** Name and options of a statement's span. Its text has placeholders for what callers sent. */
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

/** Why a statement could not be answered, with the cause's code where it has one. */
export function connectionLost(cause: Error & { code?: string }): Error {
  return coded(cause, cause.code ?? "CONNECTION_CLOSED");
}

const coded = (cause: Error, code: string): Error =>
  Object.assign(new Error(`The connection to PostgreSQL is lost: ${cause.message}`, { cause }), { code });
