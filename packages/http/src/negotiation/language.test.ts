import { expect, it } from "vitest";
import { preferredLanguage } from "./language.ts";

it.each([
  ["", "en"],
  ["de", "de"],
  ["de-AT,de;q=0.9,en;q=0.8", "de"],
  ["DE-ch", "de"],
  ["en-US,en;q=0.9,de;q=0.8", "en"],
  ["en;q=0.4,de;q=0.5", "de"],
  ["fr-FR,fr;q=0.9,de;q=0.2", "de"],
  ["fr,*;q=0.5,de;q=0.4", "en"],
  ["de;q=0,en;q=0.1", "en"],
  ["den,deu", "en"],
  ["de;q=x", "en"],
  [";;,,q=1", "en"],
])("Accept-Language %j prefers %s", (header, language) => {
  expect(preferredLanguage(header, ["en", "de"])).toBe(language);
});
