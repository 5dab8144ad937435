import { isSearchKey, shortcut } from "../shell/search/shortcut.ts";

const languageKey = "reference-language";

/** Adapts the page to the portal's frame: the portal's colour scheme, no header, and links that leave the frame. */
export function adaptToPortalFrame(): void {
  const root = document.documentElement;
  const scheme = new URLSearchParams(location.search).get("scheme");
  if (scheme === "light" || scheme === "dark") root.dataset.mantineColorScheme = scheme;
  if (top === self) return;
  root.classList.add("framed");
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href^='/']")) link.target = "_top";
}

/** Redirects an address of older releases, such as `/explorer#tag/beats/get/beats`, to the operation. */
export function followFormerAddress(): void {
  const [, group, method, path] = /^#tag\/([^/]+)\/(\w+)(\/.*)$/.exec(decodeURI(location.hash)) ?? [];
  if (group === undefined || method === undefined) return;
  const call = `${group}/${method.toUpperCase()}${path}`;
  const links = document.querySelectorAll<HTMLAnchorElement>("[data-call]");
  const link = [...links].find(({ dataset }) => dataset.call === call);
  if (link !== undefined) location.replace(link.href);
}

/** Applies the chosen language to every operation, and stores it for the next visit. */
export function rememberLanguage(): void {
  const choose = (language: string): void => {
    for (const radio of document.querySelectorAll<HTMLInputElement>(`.tabs input[value="${CSS.escape(language)}"]`))
      radio.checked = true;
  };
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest(".tabs") === null) return;
    const before = target.getBoundingClientRect().top;
    choose(target.value);
    // The programs above have changed their heights. Scroll, so that the clicked element stays in place.
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: "instant" });
    try {
      localStorage.setItem(languageKey, target.value);
    } catch {
      // Storage is blocked: the choice applies only to this page.
    }
  });
  try {
    choose(localStorage.getItem(languageKey) ?? "curl");
  } catch {
    // Storage is blocked: use the default language.
  }
}

/** Marks the visible operation in the list, which is folded in a narrow window. */
export function markVisibleOperation(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLElement>("[data-place]")].map((link) => [link.dataset.place, link]),
  );
  const names = new Set<string>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) names.add(target.id);
        else names.delete(target.id);
      }
      const first = [...links.keys()].find((id) => id !== undefined && names.has(id));
      if (first === undefined) return;
      for (const [id, link] of links) {
        if (id === first) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-72px 0px -60% 0px" },
  );
  for (const section of document.querySelectorAll(".operation")) observer.observe(section);
  // The list is always open in a wide window, and opens on demand in a narrow one.
  const menu = document.querySelector<HTMLDetailsElement>(".contents .menu");
  const wide = matchMedia("(min-width: 900px)");
  const unfold = (): void => {
    if (menu !== null) menu.open = wide.matches;
  };
  wide.addEventListener("change", unfold);
  unfold();
}

/** Loads the portal's search when it is first opened. */
export function openSearchOnDemand(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-search]");
  const key = button?.querySelector("kbd");
  if (button === null || key === null || key === undefined) return;
  key.textContent = shortcut();
  button.hidden = false;
  const open = async (): Promise<void> => {
    if (document.querySelector("dialog[open]") !== null) return;
    const { openSearch } = await import("./reference-search.tsx");
    openSearch();
  };
  button.addEventListener("click", open);
  addEventListener("keydown", (event) => {
    if (!isSearchKey(event)) return;
    event.preventDefault();
    void open();
  });
}
