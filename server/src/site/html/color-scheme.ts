/** Runs inline before the first paint: the color scheme that somebody chose in the portal, where it is kept by this name. */
export const colorSchemeScript = `try{const s=localStorage.getItem("mantine-color-scheme-value");if(s==="light"||s==="dark")document.documentElement.dataset.mantineColorScheme=s}catch{}`;
