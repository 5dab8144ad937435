import type { ClauseName } from "../../beats/licensing/clauses.ts";
import { grantOf } from "../answers/ask.ts";
import { type Grant, lastDayOf, limitOf } from "../answers/judge.ts";
import { licenseUrl } from "../certificate.ts";
import type { PublicLicense } from "../queries.ts";

// A license as an ODRL policy (W3C ODRL Information Model 2.2; docs/licenses.md, As ODRL). Pure.

/** The action of each clause with a number. The address of the prefix `clause:` explains its actions. */
const countedActions = {
  copies: "odrl:distribute",
  streams: "odrl:stream",
  videos: "clause:videos",
  radio_stations: "clause:radio_stations",
  paid_performances: "clause:paid_performances",
  song: "odrl:derive",
} as const satisfies Partial<Record<ClauseName, string>>;

/** The action of each clause whose value is yes or no. */
const actions = {
  authorship: "clause:authorship",
  resale: "odrl:sell",
  sublicense: "odrl:grantUse",
  content_id: "clause:content_id",
  training: "clause:training",
} as const satisfies Partial<Record<ClauseName, string>>;

const constraint = (leftOperand: string, operator: string, rightOperand: unknown) => ({
  "@type": "odrl:Constraint",
  leftOperand,
  operator,
  rightOperand,
});

export function odrlPolicy(license: PublicLicense, publicUrl: string) {
  const { id, claims, terms, issuedAt, refundedAt, replaces, replaced } = license;
  const grant = grantOf(license);
  const target = `${publicUrl}/beats/${claims.beat.id}`;
  const assigner = `${publicUrl}/v1/users/${claims.producer.id}`;
  const rule = { target, assigner };
  const commonConstraints = [...dateConstraints(grant), ...placeConstraints(grant)];
  const duty = says(grant, "credit") ? { duty: [{ action: "odrl:attribute", attributedParty: assigner }] } : {};
  const permission = [];
  const prohibition = [];
  for (const [name, action] of Object.entries(countedActions) as [keyof typeof countedActions, string][]) {
    if (!hasClause(grant, name)) continue;
    const limit = limitOf(grant, name);
    const countConstraints = limit === null ? [] : [constraint("odrl:count", "odrl:lteq", limit)];
    const constraints = [...countConstraints, ...commonConstraints];
    if (limit === 0) prohibition.push({ ...rule, action });
    else permission.push({ ...rule, action, ...(constraints.length > 0 && { constraint: constraints }), ...duty });
  }
  for (const [name, action] of Object.entries(actions) as [keyof typeof actions, string][]) {
    if (!hasClause(grant, name)) continue;
    if (!says(grant, name)) prohibition.push({ ...rule, action });
    else permission.push({ ...rule, action, ...(commonConstraints.length > 0 && { constraint: commonConstraints }) });
  }
  // The producer must not license the beat to others.
  if (says(grant, "exclusive")) prohibition.push({ target, action: "odrl:grantUse", assignee: assigner });
  return {
    "@context": [
      "http://www.w3.org/ns/odrl.jsonld",
      {
        clause: `${publicUrl}/portal/docs/clauses#`,
        dcterms: "http://purl.org/dc/terms/",
        attributedParty: { "@id": "odrl:attributedParty", "@type": "@id" },
      },
    ],
    "@type": "Set",
    uid: licenseUrl(publicUrl, id),
    profile: `${publicUrl}/portal/docs/clauses`,
    "dcterms:title": `${terms.title}: ${claims.beat.title}`,
    "dcterms:issued": { "@value": issuedAt.toISOString(), "@type": "http://www.w3.org/2001/XMLSchema#dateTime" },
    ...(replaces !== null && { "dcterms:replaces": { "@id": licenseUrl(publicUrl, replaces) } }),
    ...(replaced?.licenseId != null && {
      "dcterms:isReplacedBy": { "@id": licenseUrl(publicUrl, replaced.licenseId) },
    }),
    // A full refund ends the license.
    ...(refundedAt !== null && { prohibition: [{ ...rule, action: "odrl:use" }] }),
    ...(refundedAt === null && permission.length > 0 && { permission }),
    ...(refundedAt === null && prohibition.length > 0 && { prohibition }),
  };
}

const hasClause = ({ clauses }: Grant, name: ClauseName): boolean =>
  clauses?.some((each) => each.name === name) ?? false;

const says = ({ clauses }: Grant, name: ClauseName): boolean =>
  clauses?.find((each) => each.name === name)?.value === true;

function dateConstraints(grant: Grant) {
  const lastDay = lastDayOf(grant);
  const day = { "@value": lastDay, "@type": "http://www.w3.org/2001/XMLSchema#date" };
  return lastDay === null ? [] : [constraint("odrl:dateTime", "odrl:lteq", day)];
}

function placeConstraints({ clauses }: Grant) {
  const countries = clauses?.find(({ name }) => name === "territory")?.value;
  return Array.isArray(countries) ? [constraint("odrl:spatial", "odrl:isAnyOf", countries)] : [];
}
