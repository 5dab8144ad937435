import { UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { loadChunk } from "../../api/load-chunk.ts";
import { t } from "../../api/locale.ts";
import { openDocument } from "../../api/open-document.ts";
import { useAccount, useRefusal } from "../../api/session.ts";
import { useSections } from "../navigation.tsx";
import { useSignOut } from "../use-sign-out.ts";
import type { SearchEntry } from "./ranking.ts";
import classes from "./search.module.css";
import { isSearchKey, shortcut } from "./shortcut.ts";

const SearchDialog = lazy(() =>
  loadChunk(() => import("./search-dialog.tsx")).then((module) => ({ default: module.SearchDialog })),
);

/** The search of the whole portal. A field in the header, Ctrl-K or Cmd-K opens it. */
export function Search({ onShortcuts }: { onShortcuts: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  const pages = usePages(onShortcuts);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isSearchKey(event)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <>
      <UnstyledButton className={classes.button} onClick={() => setOpen(true)} aria-haspopup="dialog">
        <IconSearch size={16} aria-hidden />
        <span className={classes.label}>{t("search.search")}</span> <kbd className={classes.key}>{shortcut()}</kbd>
      </UnstyledButton>
      {isOpen && (
        <Suspense>
          <SearchDialog
            pages={pages}
            onClose={() => setOpen(false)}
            onOpen={(address) =>
              address.startsWith("/portal") ? router.history.push(address) : void openDocument(address)
            }
          />
        </Suspense>
      )}
    </>
  );
}

/** The navigation's pages, and actions without a page. */
function usePages(showShortcuts: () => void): SearchEntry[] {
  const account = useAccount();
  const isSignedIn = account !== null;
  const isOrganisation = account?.organisation != null;
  const mayMakeKeys = useRefusal("keys:write") === undefined;
  const mayUseWebhooks = useRefusal("webhooks:read") === undefined;
  const sections = useSections();
  const { mutate: signOut } = useSignOut();
  return useMemo(() => {
    const page = (title: string, path: string, keywords = ""): SearchEntry => ({
      group: "Go to",
      id: path,
      title,
      detail: "",
      keywords,
      address: `/portal${path === "/" ? "" : path}`,
    });
    return [
      ...sections.flatMap(({ links }) => links.map(({ to, label }) => page(label, to))),
      {
        ...page(t("search.apiReference"), "/explorer#reference", t("search.apiReferenceKeywords")),
        address: "/explorer",
      },
      {
        group: "Go to" as const,
        id: "shortcuts",
        title: t("shell.keyboardShortcuts"),
        detail: "",
        keywords: "keys help hotkeys",
        run: showShortcuts,
      },
      ...(isSignedIn
        ? [
            ...(mayMakeKeys ? [page(t("search.createAnAPIKey"), "/keys?create=1", t("search.createKeyKeywords"))] : []),
            ...(mayUseWebhooks
              ? [page(t("search.signatureDoctor"), "/webhooks/doctor", t("search.signatureDoctorKeywords"))]
              : []),
            ...(isOrganisation
              ? [page(t("search.organisation"), "/organisation", t("search.organisationKeywords"))]
              : []),
            page(t("shell.accountAndSecurity"), "/account", t("search.accountKeywords")),
            {
              group: "Go to" as const,
              id: "sign-out",
              title: t("shell.signOut"),
              detail: "",
              keywords: "log out",
              run: signOut,
            },
          ]
        : [
            page(t("shell.signIn"), "/sign-in", t("search.signInKeywords")),
            page(t("search.createAnAccount"), "/register", t("search.createAccountKeywords")),
          ]),
    ];
  }, [isSignedIn, isOrganisation, mayMakeKeys, mayUseWebhooks, sections, signOut, showShortcuts]);
}
