/** The languages of pages and mails. The name of each is in itself; `region` says how dates are written. */
export declare const languages: {
    readonly en: {
        readonly name: "English";
        readonly region: "en-GB";
    };
    readonly de: {
        readonly name: "Deutsch";
        readonly region: "de-DE";
    };
};
export type Language = keyof typeof languages;
export declare const languageCodes: Language[];
export declare const isLanguage: (text: string | null | undefined) => text is Language;
