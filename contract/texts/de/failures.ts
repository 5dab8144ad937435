import type { failures as english } from "../en/failures.ts";
import { translationOf } from "../text.ts";

export const failures = translationOf<typeof english>()({
  "failure.wrong": "Die Anfrage ist nicht gültig",
  "failure.wrongHint": "Prüfen Sie Ihre Angaben, und versuchen Sie es noch einmal.",
  "failure.email": "Das ist keine E-Mail-Adresse.",
  "failure.changedHint": "Inzwischen hat sich etwas geändert. Laden Sie die Seite neu.",
  "failure.detailed": "{hint} Der Dienst meldet auf Englisch: {details}",
  "failure.forbidden": "Das ist nicht erlaubt",
  "failure.forbiddenHint": "Öffnen Sie die Seite noch einmal im Browser, und wiederholen Sie den Schritt dort.",
  "failure.notFound": "Hier ist nichts",
  "failure.gone": "Dieser Beat wurde entfernt",
  "failure.goneHint":
    "Der Betreiber dieses Marktplatzes hat ihn entfernt. Wer eine Lizenz gekauft hat, findet sie in der Bibliothek.",
  "failure.tooMany": "Zu viele Anfragen",
  "failure.tooManyHint": "Warten Sie einige Sekunden, und versuchen Sie es noch einmal.",
  "failure.broken": "Etwas ist schiefgegangen",
  "failure.brokenHint": "Das liegt nicht an Ihnen. Versuchen Sie es in einigen Sekunden noch einmal.",
});
