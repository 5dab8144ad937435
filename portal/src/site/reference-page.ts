import { isSearchKey, shortcut } from "../shell/search/shortcut.ts";

const languageKey = "reference-language";

/** Inside the portal's frame the page uses the portal's colour scheme, has no header, and its links leave the frame. */
export function standInFrame(): void {
  const root = document.documentElement;
  const scheme = new URLSearchParams(location.search).get("scheme");
  if (scheme === "light" || scheme === "dark") root.dataset.mantineColorScheme = scheme;
  if (top === self) return;
  root.classList.add("framed");
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href^='/']")) link.target = "_top";
}

/** Leads `/explorer#tag/beats/get/beats`, an address of former releases, to the operation that it named. */
export function followFormerAddress(): void {
  const [, group, method, path] = /^#tag\/([^/]+)\/(\w+)(\/.*)$/.exec(decodeURI(location.hash)) ?? [];
  if (group === undefined || method === undefined) return;
  const call = `${group}/${method.toUpperCase()}${path}`;
  const links = document.querySelectorAll<HTMLAnchorElement>("[data-call]");
  const link = [...links].find(({ dataset }) => dataset.call === call);
  if (link !== undefined) location.replace(link.href);
}

/** The chosen language applies to every operation, and to the next visit. */
export function rememberLanguage(): void {
  const choose = (language: string): void => {
    for (const radio of document.querySelectorAll<HTMLInputElement>(`.tabs input[value="${CSS.escape(language)}"]`))
      radio.checked = true;
  };
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest(".tabs") === null) return;
    const before = target.getBoundingClientRect().top;
    choose(target.value);
    // Programs above may be longer or shorter now, so the page scrolls to keep the clicked element in place.
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
    // As above.
  }
}

/** Marks the operation that is currently read in the list. */
export function followPlace(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLElement>("[data-place]")].map((link) => [link.dataset.place, link]),
  );
  const names = new Set<string>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) isIntersecting ? names.add(target.id) : names.delete(target.id);
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
  // Wide windows show the list, narrow ones open it on demand.
  const menu = document.querySelector<HTMLDetailsElement>(".contents .menu");
  const wide = matchMedia("(min-width: 900px)");
  const unfold = (): void => {
    if (menu !== null) menu.open = wide.matches;
  };
  wide.addEventListener("change", unfold);
  unfold();
}

/** The portal's search, which is loaded when it is first opened. */
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
