import Type from "typebox";
import { languageCodes } from "../../../../contract/texts/languages.ts";
import { changeMailPreferences, findMailPreferences } from "../../resources/users/mail-preferences.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

const tag = "Account";

const timeZone = Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()], {
  description:
    "The time zone of the times in mails, such as Europe/Berlin. Null until a browser has sent it; mails then use UTC.",
});
const saleMails = Type.Boolean({ description: "Whether the person gets a mail for each sale." });

const language = Type.Union([Type.Enum([...languageCodes]), Type.Null()], {
  description:
    "The language of mails. Null until the person chooses it or a purchase sets it; mails are then in English.",
});

const MailPreferences = Type.Object(
  { time_zone: timeZone, sale_mails: saleMails, language },
  { $id: "MailPreferences", additionalProperties: false },
);

/** A person's preferences for mails. Mails about payments, refunds and payouts are always sent. */
export const mailPreferenceRoutes: PortalRoute[] = [
  portalRoute({
    operationId: "getMailPreferences",
    permission: "self",
    method: "GET",
    path: "/account/mails",
    tag,
    summary: "Get which mails the person receives, with their time zone and language",
    response: MailPreferences,
    handle: ({ db, account }) => findMailPreferences(db, account.personId),
  }),
  portalRoute({
    operationId: "changeMailPreferences",
    permission: "self",
    method: "PATCH",
    path: "/account/mails",
    tag,
    summary: "Change which mails the person receives; an omitted field stays the same",
    body: Type.Object(
      { time_zone: Type.Optional(timeZone), sale_mails: Type.Optional(saleMails), language: Type.Optional(language) },
      { minProperties: 1, additionalProperties: false },
    ),
    response: MailPreferences,
    handle: ({ db, account, body }) => changeMailPreferences(db, account.personId, body),
  }),
];
