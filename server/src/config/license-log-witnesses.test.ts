import { expect, test } from "vitest";
import { licenseLogWitnesses } from "./engines.ts";

test("each witness is a verifier key and an address, and another form is refused with an example", () => {
  const key = "witness.example/w1+e134ec20+BKVTTQ6CSdbnrmHqaZ0jHYKRyYzLlpxyPXIaxcPyTSyr";
  const [witness, ...more] = licenseLogWitnesses(`${key} https://w1.example/base/`);
  expect([witness?.verifier.name, witness?.url, more]).toEqual(["witness.example/w1", "https://w1.example/base", []]);
  for (const wrong of [key, `https://w1.example ${key}`, `${key} ftp://w1.example`, "a+b+c https://w1.example"])
    expect(() => licenseLogWitnesses(wrong)).toThrow("it takes the verifier key and the address");
});
