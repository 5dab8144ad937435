import type { accountMails as english } from "../en/account-mails.ts";
import { translationOf } from "../text.ts";

export const accountMails = translationOf<typeof english>()({
  "confirm-registration": `# Bestätigen Sie Ihre Registrierung

Diese Adresse wurde bei {site} registriert. Öffnen Sie zur Bestätigung innerhalb von 24 Stunden diesen Link, und geben Sie das Passwort ein, das Sie gewählt haben:

{link}

Wenn Sie das nicht waren, müssen Sie nichts tun: Ohne das Passwort und diese E-Mail kann niemand die Registrierung nutzen.
`,
  "already-registered": `# Sie sind bereits registriert

Diese Adresse sollte bei {site} registriert werden, hat dort aber schon ein Konto. Melden Sie sich an:

{sign_in}

Wenn Sie das Passwort vergessen haben, fordern Sie ein neues an:

{reset}

Wenn Sie das nicht waren, müssen Sie nichts tun.
`,
  "reset-password": `# Wählen Sie ein neues Passwort

Bei {site} wurde ein neues Passwort angefordert. Öffnen Sie innerhalb einer Stunde diesen Link, um eines zu wählen:

{link}

Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.
`,
  "password-changed": `# Ihr Passwort wurde geändert

Das Passwort Ihres Kontos bei {site} wurde soeben geändert. Alle anderen Sitzungen sind beendet.

{ended_since}

{ended}

{ended_next}

Wenn Sie das nicht waren, wählen Sie ein neues Passwort; das beendet jede Sitzung. Sehen Sie danach unter Konto nach, was geschehen ist, und erneuern Sie Ihre API-Schlüssel:

{reset}
`,
  "new-device": `# Anmeldung von einem neuen Gerät

Vermutlich haben Sie sich bei Ihrem Konto bei {site} in einem Browser angemeldet, der dafür noch nicht verwendet wurde: {device}, Adresse {address}. Unter Konto sehen und beenden Sie Ihre Sitzungen:

{sessions}

Wenn Sie das nicht waren, wählen Sie ein neues Passwort; das beendet jede Sitzung. Sehen Sie danach unter Konto nach, was geschehen ist, und erneuern Sie Ihre API-Schlüssel:

{reset}
`,
  "limits-granted": `# Höhere Grenzen für Ihren API-Schlüssel

API-Schlüssel {key} hat ab jetzt den Tarif {plan}. Hier sehen Sie, wie viel von seinen Grenzen übrig ist:

{link}
`,
  "limits-refused": `# Keine höheren Grenzen für Ihren API-Schlüssel

Sie haben um den Tarif {plan} gebeten. API-Schlüssel {key} behält seinen Tarif. Der Betreiber schreibt:

{message}

Ihre Schlüssel finden Sie hier:

{link}
`,
  "wrong-codes": `# Ein Fremder kennt vielleicht Ihr Passwort

Vermutlich haben Sie sich bei Ihrem Konto bei {site} mit dem richtigen Passwort angemeldet und dann zu oft falsche Codes eingegeben: {device}, Adresse {address}. Niemand ist hineingekommen.

Wenn Sie das nicht waren, wählen Sie ein neues Passwort; das beendet jede Sitzung. Sehen Sie danach unter Konto nach, was geschehen ist, und erneuern Sie Ihre API-Schlüssel:

{reset}
`,
  "authenticator-added": `# Eine Authenticator-App wurde hinzugefügt

In Ihrem Konto bei {site} wurde soeben eine Authenticator-App hinzugefügt: {device}, Adresse {address}.

Wenn Sie das nicht waren, wählen Sie ein neues Passwort; das beendet jede Sitzung. Sehen Sie danach unter Konto nach, was geschehen ist, und erneuern Sie Ihre API-Schlüssel:

{reset}
`,
  "authenticator-removed": `# Ihre Authenticator-App wurde entfernt

In Ihrem Konto bei {site} wurde soeben die Authenticator-App entfernt: {device}, Adresse {address}.

Wenn Sie das nicht waren, wählen Sie ein neues Passwort; das beendet jede Sitzung. Sehen Sie danach unter Konto nach, was geschehen ist, und erneuern Sie Ihre API-Schlüssel:

{reset}
`,
  "recovery-codes-replaced": `# Ihre Wiederherstellungscodes wurden ersetzt

In Ihrem Konto bei {site} wurden soeben die Wiederherstellungscodes ersetzt: {device}, Adresse {address}.

Wenn Sie das nicht waren, wählen Sie ein neues Passwort; das beendet jede Sitzung. Sehen Sie danach unter Konto nach, was geschehen ist, und erneuern Sie Ihre API-Schlüssel:

{reset}
`,
  "recovery-code-used": `# Ein Wiederherstellungscode wurde verwendet

In Ihrem Konto bei {site} wurde soeben ein Wiederherstellungscode verwendet: {device}, Adresse {address}. Es bleiben {left}.

Wenn Sie das nicht waren, wählen Sie ein neues Passwort; das beendet jede Sitzung. Sehen Sie danach unter Konto nach, was geschehen ist, und erneuern Sie Ihre API-Schlüssel:

{reset}
`,
  "passkey-added": `# Ein Passkey wurde hinzugefügt

In Ihrem Konto bei {site} wurde soeben ein Passkey hinzugefügt: {device}, Adresse {address}.

Wenn Sie das nicht waren, wählen Sie ein neues Passwort; das beendet jede Sitzung. Sehen Sie danach unter Konto nach, was geschehen ist, und erneuern Sie Ihre API-Schlüssel:

{reset}
`,
  "passkey-removed": `# Ein Passkey wurde entfernt

In Ihrem Konto bei {site} wurde soeben ein Passkey entfernt: {device}, Adresse {address}.

Wenn Sie das nicht waren, wählen Sie ein neues Passwort; das beendet jede Sitzung. Sehen Sie danach unter Konto nach, was geschehen ist, und erneuern Sie Ihre API-Schlüssel:

{reset}
`,
  "key-from-new-device": `# Ein neues Gerät hat einen API-Schlüssel erstellt

In Ihrem Konto bei {site} wurde soeben ein API-Schlüssel erstellt: {device}, Adresse {address}.

Wenn Sie das nicht waren, wählen Sie ein neues Passwort; das beendet jede Sitzung. Sehen Sie danach unter Konto nach, was geschehen ist, und erneuern Sie Ihre API-Schlüssel:

{reset}
`,
  "data-exported": `# Ihre Daten wurden exportiert

Aus Ihrem Konto bei {site} wurden soeben alle Daten exportiert: {device}, Adresse {address}.

Wenn Sie das nicht waren, wählen Sie ein neues Passwort; das beendet jede Sitzung. Sehen Sie danach unter Konto nach, was geschehen ist, und erneuern Sie Ihre API-Schlüssel:

{reset}
`,
  "confirm-address": `# Bestätigen Sie Ihre neue Adresse

Ein Konto bei {site} möchte diese Adresse verwenden. Öffnen Sie zur Bestätigung innerhalb einer Stunde diesen Link, und geben Sie das Passwort des Kontos ein:

{link}

Wenn Sie das nicht waren, müssen Sie nichts tun.
`,
  "address-has-account": `# Diese Adresse hat bereits ein Konto

Ein anderes Konto bei {site} möchte diese Adresse verwenden. Sie hat bereits ein Konto, deshalb wurde nichts geändert. Melden Sie sich dort an:

{sign_in}

Wenn Sie das nicht waren, müssen Sie nichts tun.
`,
  "address-changed": `# Die Adresse Ihres Kontos wurde geändert

Ihr Konto bei {site} hat ab jetzt eine andere Adresse, die ihr Besitzer bestätigt hat. Diese hier öffnet es nicht mehr.

Wenn Sie das nicht waren, öffnen Sie innerhalb von sieben Tagen diesen Link, und wählen Sie ein neues Passwort. Das Konto bekommt diese Adresse zurück, und jede Sitzung endet:

{link}
`,
  "address-restored": `# Ihr Konto hat seine Adresse zurück

Ihr Konto bei {site} hat wieder diese Adresse und das Passwort, das Sie gewählt haben. Jede Sitzung ist beendet, ebenso Authenticator-Apps und Passkeys, die mit der Änderung kamen.

{ended_since}

{ended}

{ended_next}

Sehen Sie unter Konto nach, was geschehen ist, und fügen Sie eine eigene Authenticator-App oder einen Passkey hinzu:

{account}
`,
  "address-undone": `# Diese Adresse hat kein Konto mehr

Der Wechsel eines Kontos bei {site} zu dieser Adresse wurde aus dem Postfach der früheren Adresse rückgängig gemacht. Das Konto hat wieder seine frühere Adresse:

{sign_in}
`,
  invitation: `# Sie sind in eine Organisation eingeladen

Eine Organisation bei {site} lädt diese Adresse ein, in ihrem Konto zu arbeiten. Öffnen Sie innerhalb von sieben Tagen diesen Link, um zu sehen, welche es ist, und um beizutreten. Sie brauchen keine weitere E-Mail: Ohne Konto wählen Sie auf der Seite ein Passwort.

{link}

Wenn Sie nichts davon wissen, müssen Sie nichts tun.
`,
  "organisation-changed": `# Eine Änderung in Ihrer Organisation {organisation}

In der Organisation {organisation} bei {site} gab es eine Änderung (auf Englisch): {what}.

Wenn Sie sie nicht erwartet haben, sehen Sie sich die Mitglieder und das Protokoll der Organisation an, und sprechen Sie mit ihren Besitzern:

{link}
`,
  "account-deleted": `# Ihr Konto wurde gelöscht

Ihr Konto bei {site} wurde soeben gelöscht, mit seinen Schlüsseln, Webhook-Endpunkten und Sitzungen. Bestellungen nennen Sie nicht mehr. Rechnungen, Auszahlungen und Lizenzzertifikate müssen unverändert aufbewahrt werden.

Wenn Sie das nicht waren, schreiben Sie sofort dem Betreiber:

{contact}
`,
  "account-suspended": `# Gesperrt: {account}

{account} bei {site} ist gesperrt: API-Schlüssel werden abgelehnt, niemand kann sich anmelden oder für das Konto handeln, und seine Webhooks warten.

Grund: {reason}

Nichts wird gelöscht, und Ereignisse bleiben 30 Tage lang erhalten. Um zu widersprechen, antworten Sie auf diese E-Mail.
`,
  "account-unsuspended": `# Nicht mehr gesperrt: {account}

Die Sperre dieses Kontos bei {site} ist aufgehoben. Seine API-Schlüssel gelten wieder, und wartende Webhooks werden gesendet. Sitzungen sind beendet: Melden Sie sich neu an.

{link}
`,
  claim: `# Übernehmen Sie Ihre Beats

Der Betreiber von {site} übergibt dem Besitzer dieses Postfachs einen Produzenten: {producer}

{profile}

Öffnen Sie innerhalb von 24 Stunden diesen Link, um seine Beats in das Konto von {email} zu übernehmen:

{link}

Wenn diese Beats nicht Ihnen gehören, müssen Sie nichts tun: Ohne diese E-Mail kann niemand sie übernehmen.
`,
  "endpoint-failing": `# Webhook-Endpunkt {endpoint} schlägt fehl

Zustellungen an Ihren Webhook-Endpunkt {endpoint} schlagen seit {since} fehl. Jede wird über etwa drei Tage zehnmal versucht.

- Endpunkt: {url}
- Letzter Fehler: {error}

Prüfen Sie, ob der Empfänger läuft, innerhalb von 15 Sekunden mit einem Status 2xx antwortet (ohne Weiterleitung) und die Signatur über den unveränderten Inhalt prüft. Die Anleitung erklärt jeden Schritt:

{guide}

Nichts geht verloren, wenn der Empfänger in dieser Zeit wieder mit 2xx antwortet. Endgültig fehlgeschlagene Zustellungen lassen sich im Portal wiederholen, oder vom Betreiber mit:

npx beatmarket webhooks replay {endpoint} --failed

Nach fünf Tagen ohne Erfolg wird der Endpunkt abgeschaltet.
`,
  "endpoint-disabled": `# Webhook-Endpunkt {endpoint} ist abgeschaltet

Ihr Webhook-Endpunkt {endpoint} ist abgeschaltet: Es wird nichts mehr an ihn gesendet.

- Grund: {reason}
- Endpunkt: {url}
- Letzter Fehler: {error}

Prüfen Sie, ob der Empfänger läuft, innerhalb von 15 Sekunden mit einem Status 2xx antwortet (ohne Weiterleitung) und die Signatur über den unveränderten Inhalt prüft. Die Anleitung erklärt jeden Schritt:

{guide}

Ereignisse bleiben inzwischen 30 Tage lang als übersprungene Zustellungen erhalten. Wenn der Empfänger wieder läuft, schalten Sie den Endpunkt im Portal ein und wiederholen die übersprungenen Zustellungen, oder bitten Sie den Betreiber um:

npx beatmarket webhooks enable {endpoint} --replay
`,
});
