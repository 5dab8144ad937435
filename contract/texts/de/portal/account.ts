import type { account as english } from "../../en/portal/account.ts";
import { translationOf } from "../../text.ts";

export const account = translationOf<typeof english>()({
  "entry.theBeatsAreYours": "Die Beats gehören Ihnen",
  "entry.claimYourBeats": "Ihre Beats übernehmen",
  "entry.loading": "Lädt",
  "entry.takeThemOver": "Übernehmen",
  "entry.beatsBelongToAccount":
    "Sie gehören jetzt zum Konto von {email}. Es kann eine Minute dauern, bis alle das zeigen.",
  "entry.newAccountChoosePassword": "Das Konto ist neu. {link}Wählen Sie ein Passwort{end}, um sich anzumelden.",
  "entry.theAddressIsChanged": "Die Adresse ist geändert",
  "entry.newAddressSignsIn":
    "Melden Sie sich ab jetzt mit ihr an. Die bisherige Adresse hat eine E-Mail bekommen und kann das sieben Tage lang rückgängig machen.",
  "entry.toYourAccount": "Zu Ihrem Konto",
  "entry.confirmYourNewAddress": "Bestätigen Sie Ihre neue Adresse",
  "entry.confirmAddressLead": "Geben Sie das Passwort Ihres Kontos ein.",
  "entry.useThisAddress": "Diese Adresse verwenden",
  "entry.confirmYourRegistration": "Bestätigen Sie Ihre Registrierung",
  "entry.confirmRegistrationLead": "Geben Sie das Passwort ein, das Sie bei der Registrierung gewählt haben.",
  "entry.registerAgainOrSignIn": "{again}Noch einmal registrieren{end} oder {signIn}anmelden{end}",
  "entry.confirmAndSignIn": "Bestätigen und anmelden",
  "entry.atLeast10Characters": "Mindestens 10 Zeichen.",
  "entry.chooseANewPassword": "Neues Passwort wählen",
  "entry.forgotPasswordLead":
    "Wir schicken Ihnen einen Link. Er funktioniert auch für ein Konto, das ein Betreiber für Sie angelegt hat.",
  "entry.backToSignIn": "Zurück zur Anmeldung",
  "entry.resetMailSent":
    "Wenn {email} hier ein Konto hat, ist eine E-Mail mit einem Link unterwegs. Öffnen Sie ihn innerhalb einer Stunde. Wenn wir in den letzten zehn Minuten einen geschickt haben, gilt dessen Link noch, und kein weiterer wird versandt.",
  "entry.eMail": "E-Mail",
  "entry.sendTheLink": "Link zusenden",
  "entry.joinAnOrganisation": "Einer Organisation beitreten",
  "entry.organisationInvitesAs": "{organisation} lädt {email} ein, Rolle: {role}.",
  "entry.invitationExpired":
    "Die Einladung ist abgelaufen. Bitten Sie einen Inhaber der Organisation, sie noch einmal zu schicken.",
  "entry.invitationRevoked": "Ein Inhaber der Organisation hat die Einladung widerrufen. Bitten Sie um eine neue.",
  "entry.invitationAlreadyAccepted":
    "Die Einladung wurde schon angenommen. Melden Sie sich an, und wählen Sie die Organisation im Kontomenü.",
  "entry.signedInAsOther":
    "Sie sind als {email} angemeldet. Melden Sie sich stattdessen beim Konto von {invited} an, oder bitten Sie einen Inhaber, {email} einzuladen.",
  "entry.youAreSignedIn": "Sie sind als {email} angemeldet.",
  "entry.join": "Beitreten",
  "entry.goToYourAccount": "Zu Ihrem Konto",
  "entry.codeOfTheAuthenticator": "Code der Authenticator-App",
  "entry.signInAndJoin": "Anmelden und beitreten",
  "entry.yourName": "Ihr Name",
  "entry.createTheAccountAndJoin": "Konto erstellen und beitreten",
  "entry.checkYourMail": "Sehen Sie in Ihr Postfach",
  "entry.noMailServerNote":
    "Es ist kein Mailserver eingerichtet. Die E-Mail ist deshalb eine Datei im Ordner {code}mail{end} des Datenordners (normalerweise {code}.data/mail{end}). Das Log des Servers nennt die Datei.",
  "entry.registerLead": "Um Beats zu kaufen und eigene zu verkaufen, und für API-Schlüssel, Anfragen und Webhooks.",
  "entry.registeredAlreadySignIn": "Schon registriert? {link}Anmelden{end}",
  "entry.registrationMailSent":
    "Eine E-Mail an {email} enthält einen Link, der Ihre Registrierung bestätigt. Öffnen Sie ihn innerhalb von 24 Stunden, auf einem beliebigen Gerät.",
  "entry.name": "Name",
  "entry.createAccount": "Konto erstellen",
  "entry.acceptTermsNote":
    "Mit dem Konto stimmen Sie den {terms}Nutzungsbedingungen{end} zu. Unter {privacy}Datenschutz{end} steht, was mit Ihren Daten geschieht.",
  "entry.resetPasswordLead": "Jede Sitzung Ihres Kontos wird beendet, und Sie werden hier angemeldet.",
  "entry.askForAnotherLink": "Einen anderen Link anfordern",
  "entry.newPassword": "Neues Passwort",
  "entry.revokeFromNewDevice": "Widerrufen, was ein neues Gerät angelegt hat",
  "entry.revokeNewDeviceHint":
    "Wenn sich in den letzten 30 Tagen ein Gerät angemeldet hat, das Ihr Konto nicht kannte, enden API-Schlüssel und Webhook-Endpunkte, die seither angelegt wurden. Eine E-Mail nennt sie.",
  "entry.saveAndSignIn": "Speichern und anmelden",
  "entry.newHereCreateAnAccount": "Neu hier? {link}Konto erstellen{end}",
  "entry.enterTheCode": "Geben Sie den Code ein",
  "entry.enterCodeLead": "Das Passwort war richtig. Dieses Konto hat außerdem eine Authenticator-App.",
  "entry.codeHint": "Die sechs Ziffern, die Ihre App jetzt zeigt, oder ein Wiederherstellungscode.",
  "entry.signInLead": "Ihre Bibliothek, Ihr Studio und Ihre API-Schlüssel.",
  "entry.tryDemoAccount": "Mit dem Demokonto ausprobieren",
  "entry.demoAccountHint": "Ein Klick, kein Passwort. Alle auf diesem Server teilen es.",
  "entry.orWithYourOwn": "oder mit Ihrem eigenen",
  "entry.forgotThePassword": "Passwort vergessen?",
  "entry.signInWithAPasskey": "Mit einem Passkey anmelden",
  "entry.theAccountIsYoursAgain": "Das Konto gehört wieder Ihnen",
  "entry.accountTakenBackNote":
    "Es hat diese Adresse und Ihr neues Passwort, und jede Sitzung ist beendet. Melden Sie sich an, sehen Sie in das Sicherheitsprotokoll, und erneuern Sie Ihre API-Schlüssel.",
  "entry.takeYourAccountBack": "Ihr Konto zurückholen",
  "entry.takeAccountBackLead":
    "Es bekommt wieder diese Adresse, und jede Sitzung wird beendet. Wählen Sie ein neues Passwort: Wer die Adresse geändert hat, kennt vielleicht das alte.",
  "entry.takeItBack": "Zurückholen",
  "entry.claimOffer": {
    one: "{producer} hat 1 Beat im Verkauf. Er geht dauerhaft an das Konto von {email} über.",
    other: "{producer} hat {count} Beats im Verkauf. Sie gehen dauerhaft an das Konto von {email} über.",
  },
  "entry.registrationMailLeadsBack":
    "Eine E-Mail an {email} enthält einen Link, der Ihre Registrierung bestätigt. Öffnen Sie ihn innerhalb von 24 Stunden, auf einem beliebigen Gerät; er führt dorthin zurück, wo Sie waren.",
});
