import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { describe, expect, test } from "vitest";
import { readConfig } from "../config.ts";

describe("REQUEST_LOG_URL", () => {
  test.each<[NodeJS.ProcessEnv, object]>([
    [
      { REQUEST_LOG_URL: "victorialogs://logs.example.com" },
      { requestLogEngine: { url: "http://logs.example.com:9428", authorization: null } },
    ],
    [
      { REQUEST_LOG_URL: "victorialogs+https://me:p%40ss@logs.example.com:443/" },
      {
        requestLogEngine: { url: "https://logs.example.com:443", authorization: `Basic ${btoa("me:p@ss")}` },
      },
    ],
    [
      { REQUEST_LOG_URL: "victorialogs://[::1]:9429" },
      { requestLogEngine: { url: "http://[::1]:9429", authorization: null } },
    ],
  ])("%o is accepted", (env, settings) => {
    expect(readConfig(env)).toMatchObject(settings);
  });

  test.each<[NodeJS.ProcessEnv, string]>([
    ...[
      "http://logs:9428",
      "victorialogs://",
      "victorialogs://logs:9428/select",
      "victorialogs://logs?x=1",
      "victorialogs://me:%zz@logs",
    ].map((url): [NodeJS.ProcessEnv, string] => [
      { REQUEST_LOG_URL: url },
      "REQUEST_LOG_URL takes a URL such as victorialogs://logs.example.com:9428",
    ]),
    [
      { REQUEST_LOG_URL: "victorialogs://logs", REQUEST_LOG_MAX_MB: "500" },
      "REQUEST_LOG_MAX_MB bounds the log in the database, and REQUEST_LOG_URL moves the log to VictoriaLogs",
    ],
  ])("%o is refused with a sentence", (env, sentence) => {
    const readSettings = (): unknown => readConfig(env);
    expect(readSettings).toThrow(OperatorError);
    expect(readSettings).toThrow(sentence);
  });
});
