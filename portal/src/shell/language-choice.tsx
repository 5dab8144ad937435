import { UnstyledButton } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Language, languageCodes, languages } from "../../../contract/texts/languages.ts";
import { api, unwrap } from "../api/client.ts";
import { showLanguage } from "../api/language.ts";
import { locale } from "../api/locale.ts";
import { sessionQuery } from "../api/session.ts";
import { mayLeave } from "../api/unsaved-work.ts";
import classes from "./language-choice.module.css";

/** A button for each other language. A choice changes the language of all pages, and of mails to the account. */
export function LanguageChoice() {
  const client = useQueryClient();
  const choose = useMutation({
    mutationFn: async (language: Language) => {
      if (!(await mayLeave())) return;
      // The button works before the session is loaded, so wait for the session.
      const { account } = await client.ensureQueryData(sessionQuery);
      // Everyone shares the demo account, so a choice must not change its language.
      const isOwn = account !== null && !account.is_demo;
      if (isOwn) await unwrap(api.PATCH("/account/mails", { body: { language } }));
      await showLanguage(language);
    },
  });
  return languageCodes
    .filter((code) => code !== locale.language)
    .map((code) => (
      <UnstyledButton key={code} lang={code} className={classes.language} onClick={() => choose.mutate(code)}>
        {languages[code].name}
      </UnstyledButton>
    ));
}
