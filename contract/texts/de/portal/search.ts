import type { search as english } from "../../en/portal/search.ts";
import { translationOf } from "../../text.ts";

export const search = translationOf<typeof english>()({
  "search.search": "Suchen",
  "search.searchDocsCallsKeysEndpoints": "Anleitung, Aufrufe, Schlüssel, Endpunkte und Beats durchsuchen",
  "search.searchDocsCallsKeysBeats": "Anleitung, Aufrufe, Schlüssel, Beats suchen …",
  "search.escCloseTheSearch": "Esc: Suche schließen",
  "search.results": "Ergebnisse",
  "search.nothingHasTryFewerWords":
    "Nichts enthält „{query}“. Versuchen Sie weniger Wörter, einen Pfad wie /orders oder einen Fehler wie 429.",
  "search.searching": "Suche läuft",
  "search.goTo": "Gehe zu",
  "search.apiReference": "API-Referenz",
  "search.openapiOperations": "openapi operationen reference",
  "search.createAnAPIKey": "API-Schlüssel erstellen",
  "search.newSecretToken": "neu geheimnis token key",
  "search.signatureDoctor": "Signatur prüfen",
  "search.verifyWebhookHmac": "webhook hmac doctor signature",
  "search.organisation": "Organisation",
  "search.membersRolesInvitationsTeam": "mitglieder rollen einladungen team",
  "search.passwordSessionProfile": "passwort sitzung profil",
  "search.logIn": "einloggen login",
  "search.createAnAccount": "Konto erstellen",
  "search.signUpRegister": "registrieren anlegen",
  "search.endpoints": "Endpunkte",
  "search.byId": "Nach ID",
  "search.docsAndCallsCouldNot":
    "Anleitung und Aufrufe konnten nicht geladen werden. Schließen Sie die Suche, und öffnen Sie sie noch einmal.",
  "search.keys": "{up} {down} zum Wählen, {key}Eingabe{end} zum Öffnen",
  "search.count": { one: "1 Ergebnis", other: "{count} Ergebnisse" },
  "search.recent": "Zuletzt",
  "search.calls": "Aufrufe",
  "search.docs": "Anleitung",
  "search.apiKeys": "API-Schlüssel",
  "search.beats": "Beats",
  "search.esc": "Esc",
});
