import { beforeAll, describe, expect, test } from "vitest";
import openapi from "../../contract/openapi.json" with { type: "json" };
import portalOpenapi from "../../contract/portal-openapi.json" with { type: "json" };
import type { ConvertedDocument } from "../docs/convert.ts";
import { readDocuments } from "../docs/read.ts";
import {
  type DocsPlace,
  documentedStatuses,
  placeOfPortalError,
  placeOfRefusal,
  portalPlaces,
  refusalPlaces,
  rejectedUploads,
} from "../src/display/docs-links.tsx";
import { findingPlaces } from "../src/pages/webhooks/doctor/finding-places.ts";

let documents: Map<string, ConvertedDocument>;
beforeAll(async () => {
  documents = await readDocuments();
});

/** The text of a section of the docs; null if the section does not exist. */
const sectionText = ({ page, anchor }: DocsPlace): string | null =>
  documents.get(page)?.sections.find(({ id }) => id === anchor)?.text ?? null;

/** Every error status in the responses of an OpenAPI document. */
const statusesOf = (document: { paths: object }): number[] => [
  ...new Set(
    Object.values(document.paths as Record<string, Record<string, { responses: object }>>)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.keys(responses).map(Number))
      .filter((status) => status >= 400),
  ),
];

describe("the docs", () => {
  test("explain which files may be uploaded", () => {
    expect(sectionText(rejectedUploads)).not.toBeNull();
  });

  test("explain every status of the API under an anchor with the number", () => {
    const statuses = statusesOf(openapi);
    expect(statuses.length).toBeGreaterThan(15);
    for (const status of statuses) {
      expect(documentedStatuses).toContain(status);
      expect(placeOfRefusal(status, null)).toEqual({ page: "api/errors", anchor: String(status) });
    }
    for (const status of documentedStatuses)
      expect(sectionText(placeOfRefusal(status, null)), String(status)).toMatch(/\w{3}/);
  });

  test("explain every status of the portal, and a missing response", () => {
    for (const status of [0, ...statusesOf(portalOpenapi)])
      expect(sectionText(placeOfPortalError(status)), String(status)).toMatch(/\w{3}/);
    for (const place of Object.values(portalPlaces)) expect(sectionText(place), place.anchor).toMatch(/\w{3}/);
  });

  test.each(Object.entries(refusalPlaces))("explain the refusal %s", (_, place) => {
    expect(sectionText(place)).toMatch(/\w{3}/);
  });

  test("explain every finding of the signature doctor in a separate section", () => {
    const findings = portalOpenapi.components.schemas.WebhookDiagnosis.properties.finding.enum;
    expect(Object.keys(findingPlaces).sort()).toEqual([...findings].sort());
    const places = Object.values(findingPlaces);
    expect(new Set(places.map(({ anchor }) => anchor)).size).toBe(places.length);
    for (const place of places) expect(sectionText(place), place.anchor).toMatch(/\w{3}/);
  });
});

test.each([
  [429, "limit:minute", refusalPlaces.limit],
  [429, "limit:export", refusalPlaces["limit:export"]],
  [429, "limit:order-files", { page: "delivery", anchor: "links" }],
  [403, "permission:orders:write", refusalPlaces.permission],
  [403, "account:suspended", { page: "api/authentication", anchor: "suspended-accounts" }],
  [417, null, { page: "api/errors", anchor: "417" }],
  [400, "parameter:genre", { page: "api/errors", anchor: "400" }],
  [401, "key:revoked", { page: "api/errors", anchor: "401" }],
  [418, null, { page: "api/errors", anchor: "400" }],
  [599, "constructor", { page: "api/errors", anchor: "500" }],
])("a call with status %i, refused by %s, leads to its section", (status, refusedBy, place) => {
  expect(placeOfRefusal(status, refusedBy)).toEqual(place);
});
