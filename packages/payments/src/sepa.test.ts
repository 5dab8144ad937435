import { expect, test } from "vitest";
import { maskedIban, readIban, sepaCountries } from "./iban.ts";
import { bankText, creditTransferFile } from "./sepa.ts";

test("a file contains each transfer, in the characters that every bank accepts", async () => {
  async function* transfers() {
    const creditor = { name: "Zoë <Søren> & Łukasz", iban: "NL91ABNA0417164300" };
    yield [{ reference: "PAYOUT-1", creditor, amountCents: 123_456, currency: "EUR", remittance: "Payout 1" }];
  }
  const debtor = { name: "Müller & Söhne", iban: "DE89370400440532013000", bic: null };
  const batch = { messageId: "RUN-1", at: new Date("2026-11-27T12:00:00Z"), debtor, count: 1, totalCents: 123_456 };
  const text = (await Array.fromAsync(creditTransferFile(batch, transfers()))).join("");
  for (const part of [
    "<MsgId>RUN-1</MsgId><CreDtTm>2026-11-27T12:00:00</CreDtTm><NbOfTxs>1</NbOfTxs><CtrlSum>1234.56</CtrlSum>",
    "<Dbtr><Nm>Muller . Sohne</Nm></Dbtr>",
    "<Othr><Id>NOTPROVIDED</Id></Othr>",
    "<EndToEndId>PAYOUT-1</EndToEndId>",
    '<InstdAmt Ccy="EUR">1234.56</InstdAmt></Amt><Cdtr><Nm>Zoe .Soren. . Lukasz</Nm></Cdtr>',
    "<IBAN>NL91ABNA0417164300</IBAN>",
  ])
    expect(text).toContain(part);
  const open: string[] = [];
  for (const [, isEnd, name = ""] of text.matchAll(/<(\/?)(\w+)[^>]*>/g))
    if (isEnd === "/") expect(open.pop()).toBe(name);
    else open.push(name);
  expect(open).toEqual([]);
});

test("a text for a bank has at most 70 characters", () => {
  expect(bankText("ä".repeat(100))).toBe("a".repeat(70));
});

test("an IBAN is parsed with any spacing and case, and can be masked", () => {
  expect(readIban("nl91 abna 0417 1643 00")).toBe("NL91ABNA0417164300");
  expect(maskedIban("NL91ABNA0417164300")).toBe("NL91 … 4300");
});

test.each([
  ["NL92ABNA0417164300", "check digits do not fit"],
  ["NL91ABNA04171643", "another length"],
  ["XX91ABNA0417164300", "no country begins like this"],
])("%s is refused with the mistake", (iban, mistake) => {
  expect(() => readIban(iban)).toThrow(expect.objectContaining({ details: expect.stringContaining(mistake) }));
});

test("the countries of SEPA include the Netherlands and exclude Turkey", () => {
  expect(sepaCountries).toContain("NL");
  expect(sepaCountries).not.toContain("TR");
});
