import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { isOtherLanguage } from "../../api/language.ts";
import { openDocument } from "../../api/open-document.ts";
import { refreshSession } from "../../api/session.ts";

/** Paths of the public site, which are outside the portal. */
const publicPath = /^\/(?:basket|beats|favorites|playlists|producers)(?:[/?]|$)/;

/**
 * A mutation that signs in by `signIn`, clears the previous account's cached data, and opens the path `next` of the
 * portal or the public site.
 */
export function useSignIn<Input>(signIn: (input: Input) => Promise<unknown>, next = "/") {
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: signIn,
    onSuccess: async () => {
      await refreshSession(client);
      const portalPath = next === "/" ? "/portal" : `/portal${next}`;
      const path = publicPath.test(next) ? next : portalPath;
      if (path === next || isOtherLanguage()) await openDocument(path);
      else router.history.push(path);
    },
  });
}
