import type { search as english } from "../../en/portal/search.ts";
import { translationOf } from "../../text.ts";

export const search = translationOf<typeof english>()({
  "search.search": "Suchen",
  "search.inputLabel": "Anleitung, Aufrufe, Schlüssel, Endpunkte und Beats durchsuchen",
  "search.inputPlaceholder": "Anleitung, Aufrufe, Schlüssel, Beats suchen …",
  "search.escCloseTheSearch": "Esc: Suche schließen",
  "search.results": "Ergebnisse",
  "search.noResults":
    "Nichts enthält „{query}“. Versuchen Sie weniger Wörter, einen Pfad wie /orders oder einen Fehler wie 429.",
  "search.searching": "Suche läuft",
  "search.goTo": "Gehe zu",
  "search.apiReference": "API-Referenz",
  "search.apiReferenceKeywords": "openapi operationen reference",
  "search.createAnAPIKey": "API-Schlüssel erstellen",
  "search.createKeyKeywords": "neu geheimnis token key",
  "search.signatureDoctor": "Signatur prüfen",
  "search.signatureDoctorKeywords": "webhook hmac doctor signature",
  "search.organisation": "Organisation",
  "search.organisationKeywords": "mitglieder rollen einladungen team",
  "search.accountKeywords": "passwort sitzung profil",
  "search.signInKeywords": "einloggen login",
  "search.createAnAccount": "Konto erstellen",
  "search.createAccountKeywords": "registrieren anlegen",
  "search.endpoints": "Endpunkte",
  "search.byId": "Nach ID",
  "search.indexLoadFailed":
    "Anleitung und Aufrufe konnten nicht geladen werden. Schließen Sie die Suche, und öffnen Sie sie noch einmal.",
  "search.keyboardHint": "{up} {down} zum Wählen, {key}Eingabe{end} zum Öffnen",
  "search.resultCount": { one: "1 Ergebnis", other: "{count} Ergebnisse" },
  "search.recent": "Zuletzt",
  "search.calls": "Aufrufe",
  "search.docs": "Anleitung",
  "search.apiKeys": "API-Schlüssel",
  "search.beats": "Beats",
  "search.esc": "Esc",
});
