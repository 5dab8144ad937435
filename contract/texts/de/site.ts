import type { site as english } from "../en/site.ts";
import { translationOf } from "../text.ts";

export const site = translationOf<typeof english>()({
  "legal.description": "{title} von {site}.",
  "legal.missing": "Der Betreiber von {site} hat diese Seite noch nicht geschrieben. Sie würde sagen, {content}.",
  "legal.termsContent": "unter welchen Bedingungen diese Website genutzt wird, wer sie anbietet und welches Recht gilt",
  "legal.privacyContent":
    "wer für personenbezogene Daten verantwortlich ist, wozu und wie lange sie gespeichert werden und wen man dazu fragen kann",
  "legal.contactContent": "wer diese Website betreibt, mit einer Anschrift und einem Weg, zu schreiben",
  "legal.termsInstead":
    "Was eine Lizenz erlaubt, steht neben ihrem Preis und in ihrem Zertifikat: {link}Lizenzen{end}.",
  "legal.privacyInstead": "Was die Software zu einem Konto speichert, exportiert und löscht: {link}Datenschutz{end}.",
  "legal.contactInstead": "Zu einer Bestellung schreiben Sie dem Produzenten aus Ihrer {link}Bibliothek{end}.",
  "legal.operator": "Wenn Sie diese Website betreiben",
  "legal.write":
    "Schreiben Sie die Seite in Markdown als {file}, legen Sie sie in einen Ordner, und nennen Sie diesen beim Start des Dienstes in {setting}. Mehr dazu steht in der {link}Anleitung zum Betrieb{end}.",
  "changelog.title": "Änderungen der API",
  "changelog.description": "Was sich an der API von {site} geändert hat, nach Datum, mit den betroffenen Aufrufen.",
  "changelog.lead":
    "Was sich geändert hat, das Neueste zuerst, auf Englisch. {versioning}Versionierung{end} sagt, was sich innerhalb einer Version ändern darf. Abonnieren Sie den {atom}Atom-Feed{end} oder den {json}JSON-Feed{end}.",
  "changelog.added": "Neu",
  "changelog.changed": "Geändert",
  "changelog.fixed": "Behoben",
  "changelog.deprecated": "Veraltet",
  "status.name": "Status",
  "status.none": "Alles in Betrieb",
  "status.minor": "Leichte Störung",
  "status.major": "Teilweise gestört",
  "status.critical": "Schwere Störung",
  "status.operational": "In Betrieb",
  "status.degraded": "Langsamer als üblich",
  "status.outage": "Außer Betrieb",
  "status.asOf": "Stand {time}. Diese Seite lädt alle 10 Sekunden neu.",
  "status.incidents": "Störungen",
  "status.noIncidents": "Keine, seit diese Instanz läuft.",
  "status.until": "{from} bis {until}",
  "status.untilNow": "seit {from}",
  "status.feed": "Atom-Feed",
  "failure.search": "Beats suchen",
  "failure.requestId": "Anfragenummer {id}",
  "failure.mistyped": "Vielleicht ist die Adresse vertippt, oder was hier war, ist umgezogen.",
});
