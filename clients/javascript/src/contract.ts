// Made from contract/openapi.json by npm run contract; do not edit.

export interface components {
    schemas: {
        /** @description What was heard in a recording; null where nothing could be told. */
        Analysis: {
            /** @description Beats per minute; null if none can be told. */
            bpm: number | null;
            /** @description How sure the tempo is, from 0 to 1. */
            bpm_confidence: number | null;
            /** @description The next best tempo, often twice or half of it. */
            bpm_alternative: number | null;
            /** @description The musical key, such as `C# minor`; null if none can be told. */
            key: string | null;
            /** @description How sure the key is, from 0 to 1. */
            key_confidence: number | null;
            /** @description The next best key. */
            key_alternative: string | null;
            /** @description In seconds. */
            duration: number;
            /** @description What the file is by its bytes: `wav`, `aiff`, `flac`, `mp3`, `ogg` or `m4a`. */
            format: string;
            /** @description In Hz. */
            sample_rate: number;
            channels: number;
            /** @description Integrated loudness by EBU R128; null for silence. */
            loudness_lufs: number | null;
            /** @description The true peak in dBTP; null for silence. */
            true_peak_dbtp: number | null;
            /** @description Samples in runs at full scale. */
            clipped_samples: number;
            /** @description Seconds of silence before the first sound. */
            silence_start: number;
            /** @description Seconds of silence after the last sound. */
            silence_end: number;
        };
        /** @description A beat in a list. */
        Beat: {
            id: number;
            title: string;
            /** @description The producing user. */
            user_id: number;
            producer_name: string;
            genre: {
                id: number;
                name: string;
            };
            /** @description The basic license's, at most two decimals. */
            price: number;
            /** @description Whole seconds; 0 when unknown. */
            duration: number;
            /** @description Tempo in beats per minute. */
            bpm: number;
            /** @description Musical key such as "C# minor"; "" when unknown. */
            key: string;
            /** Format: uri */
            audio_url: string;
            /** Format: uri */
            cover_image: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            created_at: string;
            play_count: number;
            download_count: number;
            description?: string;
            tags?: string[];
            licenses?: {
                /** @enum {string} */
                type: "basic" | "premium" | "unlimited" | "exclusive";
                price: number;
                /** @description False for every license while the exclusive one is being bought, and once it is sold. */
                available: boolean;
            }[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            updated_at?: string;
            /** @description The waveform of the whole beat, as JSON of audiowaveform's version 2; null without one. */
            waveform_url?: string | null;
            /** @description What was heard in the recording; null for one that was not analysed. */
            analysis?: components["schemas"]["Analysis"] | null;
        };
        /** @description Which page of a list this is, and where the next one is. */
        Pagination: {
            total: number;
            per_page: number;
            current_page: number;
            last_page: number;
            next_page_url: string | null;
            prev_page_url: string | null;
        };
        /** @description A beat with its description, tags and licenses; one of your own with its status too. */
        BeatDetail: {
            id: number;
            title: string;
            /** @description The producing user. */
            user_id: number;
            producer_name: string;
            genre: {
                id: number;
                name: string;
            };
            /** @description The basic license's, at most two decimals. */
            price: number;
            /** @description Whole seconds; 0 when unknown. */
            duration: number;
            /** @description Tempo in beats per minute; 0 only for a draft of one's own whose tempo is not known yet. */
            bpm: number;
            /** @description Musical key such as "C# minor"; "" when unknown. */
            key: string;
            /** Format: uri */
            audio_url: string;
            /** Format: uri */
            cover_image: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            created_at: string;
            play_count: number;
            download_count: number;
            description: string;
            tags: string[];
            licenses: {
                /** @enum {string} */
                type: "basic" | "premium" | "unlimited" | "exclusive";
                price: number;
                /** @description False for every license while the exclusive one is being bought, and once it is sold. */
                available: boolean;
            }[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            updated_at: string;
            /** @description The waveform of the whole beat, as JSON of audiowaveform's version 2; null without one. */
            waveform_url?: string | null;
            /** @description What was heard in the recording; null for one that was not analysed. */
            analysis?: components["schemas"]["Analysis"] | null;
            /**
             * @description To the beat's producer alone, as all below.
             * @enum {string}
             */
            status?: "draft" | "processing" | "published" | "withdrawn";
            /** @description Who said the `bpm`; null while nobody has. */
            bpm_source?: ("producer" | "analysis") | null;
            /** @description Who said the `key`; null while nobody has. */
            key_source?: ("producer" | "analysis") | null;
            /** @description What is mixed into the preview: `default`, `none`, or the id of an upload. */
            preview_tag?: string;
            /** @description Why the last publishing failed, as a sentence; null if it did not. */
            rejection?: string | null;
        };
        /** @description A beat and why it is similar. */
        SimilarBeat: {
            id: number;
            title: string;
            /** @description The producing user. */
            user_id: number;
            producer_name: string;
            genre: {
                id: number;
                name: string;
            };
            /** @description The basic license's, at most two decimals. */
            price: number;
            /** @description Whole seconds; 0 when unknown. */
            duration: number;
            /** @description Tempo in beats per minute. */
            bpm: number;
            /** @description Musical key such as "C# minor"; "" when unknown. */
            key: string;
            /** Format: uri */
            audio_url: string;
            /** Format: uri */
            cover_image: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            created_at: string;
            play_count: number;
            download_count: number;
            similarity: {
                /** @description 1 is a perfect match. */
                score: number;
                /** @description The octave in which this beat's tempo was compared: 0.5, 1 or 2; 2 when it is about twice as fast. */
                tempo_ratio: number;
                /** @description Absolute difference of the tempi in that octave, two decimals. */
                bpm_difference_percent: number;
                /**
                 * @description On the circle of fifths; other also where a key is unknown.
                 * @enum {string}
                 */
                key_relation: "same" | "relative" | "adjacent" | "other";
                same_genre: boolean;
            };
        };
        BeatFields: {
            /** @description What the beat is called. */
            title: string;
            /** @description A genre of `GET /genres`, by its id or its name. */
            genre: string | number;
            /** @description The id of an upload of kind `audio`. */
            audio: string;
            /** @description The basic license's, in the currency's main unit, at most two decimals. */
            price: number;
            /** @description Prices of the other licenses. Those that are missing are twice, five and twenty times `price`, rounded up to end in 99 cents. */
            license_prices?: {
                premium?: number;
                unlimited?: number;
                exclusive?: number;
            };
            /** @description The tempo. Without it, analysis tells it. */
            bpm?: number;
            /**
             * Format: musical-key
             * @description The musical key, such as `A minor`, `Am` or `8A`. Without it, analysis tells it.
             */
            key?: string;
            description?: string;
            /** @description At most 20, each of at most 50 characters. */
            tags?: string[];
            /** @description The id of an upload of kind `cover`. */
            cover?: string;
            /** @description The id of an upload of kind `stems`. */
            stems?: string;
            /** @description What is mixed into the preview every 15 seconds: `default`, the service's own tag; `none`; or the id of an upload of kind `audio`. */
            preview_tag?: string;
            /**
             * @description `published` puts the beat on sale as soon as its files are processed. Default: draft.
             * @enum {string}
             */
            status?: "draft" | "published";
        };
        BeatChanges: {
            /** @description What the beat is called. */
            title?: string;
            /** @description A genre of `GET /genres`, by its id or its name. */
            genre?: string | number;
            /** @description The id of an upload of kind `audio`. */
            audio?: string;
            /** @description The basic license's, in the currency's main unit, at most two decimals. */
            price?: number;
            /** @description Changes those that are named. Null derives all three from `price` again. */
            license_prices?: {
                premium?: number;
                unlimited?: number;
                exclusive?: number;
            } | null;
            /** @description Null takes what analysis tells. */
            bpm?: number | null;
            /** @description Null takes what analysis tells. */
            key?: string | null;
            description?: string | null;
            tags?: string[] | null;
            cover?: string | null;
            stems?: string | null;
            /** @description What is mixed into the preview every 15 seconds: `default`, the service's own tag; `none`; or the id of an upload of kind `audio`. */
            preview_tag?: string;
            /**
             * @description `published` puts a draft or a withdrawn beat on sale; `draft` stops the publishing of a beat that was never on sale.
             * @enum {string}
             */
            status?: "draft" | "published";
        };
        /** @description A public profile. */
        User: {
            id: number;
            username: string;
            display_name: string;
            bio: string | null;
            location: string | null;
            website: string | null;
            avatar_url: string | null;
            is_producer: boolean;
            /** @description Beats on sale. */
            beats_count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            created_at: string;
        };
        ProfileFields: {
            /** @description The name people see. */
            display_name?: string;
            bio?: string | null;
            location?: string | null;
            website?: string | null;
            avatar_url?: string | null;
        };
        /** @description A public profile with figures about its beats. */
        Producer: {
            id: number;
            username: string;
            display_name: string;
            bio: string | null;
            location: string | null;
            website: string | null;
            avatar_url: string | null;
            is_producer: boolean;
            /** @description Beats on sale. */
            beats_count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            created_at: string;
            /** @description Plays of all beats on sale. */
            play_count: number;
            /** @description Most used first. */
            genres: {
                id: number;
                name: string;
            }[];
        };
        /** @description A genre of the catalogue. */
        Genre: {
            id: number;
            name: string;
            slug: string;
            /** @description Beats on sale in this genre. */
            beats_count: number;
        };
        /** @description A license that the account bought, or tried to. */
        Order: {
            id: number;
            /**
             * @description pending becomes completed or failed; both are final.
             * @enum {string}
             */
            status: "completed" | "pending" | "failed";
            /** @description As it was when it was bought. */
            beat: {
                id: number;
                title: string;
                producer_id: number;
                producer_name: string;
            };
            /** @enum {string} */
            license_type: "basic" | "premium" | "unlimited" | "exclusive";
            /** @description At most two decimals. */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            payment_method: string;
            /** @description A sentence; null unless failed. */
            failure_reason: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            created_at: string;
            /** @description Null unless completed. */
            completed_at: string | null;
            /** @description What was paid back of `amount`, by refunds and lost disputes. At most two decimals. */
            refunded_amount: number;
            /** @description When money was last paid back; null if none was. The order stays completed. */
            refunded_at: string | null;
            /** @description With Stripe: what Stripe's own scripts finish the payment with in the buyer's browser. Null unless pending. */
            client_secret: string | null;
            /** @description What the buyer has to do, such as 3-D Secure: open `url`. Null unless pending. */
            next_action: {
                /** @enum {string} */
                type: "redirect";
                /**
                 * Format: uri
                 * @description The page on which the buyer finishes the payment.
                 */
                url: string;
            } | null;
        };
        OrderRequest: {
            /** @description The beat to buy. */
            beat_id: number;
            /** @description How to pay: the payment provider's identifier of a payment method, never a card number. With Stripe, the id of a payment method made with Stripe's own scripts. In the sandbox: pm_card_visa, pm_card_visa_debit, pm_card_mastercard, pm_card_mastercard_debit, pm_card_amex, pm_card_discover, pm_card_diners, pm_card_jcb, pm_card_unionpay, pm_card_authenticationRequired, pm_card_threeDSecure2Required, pm_card_visa_chargeDeclined, pm_card_visa_chargeDeclinedInsufficientFunds, pm_card_chargeDeclinedExpiredCard, pm_card_chargeDeclinedIncorrectCvc, pm_card_chargeDeclinedProcessingError, pm_card_pendingRefund or pm_card_refundFail. */
            payment_method: string;
            /**
             * @description The license to buy. An exclusive one sells once, and takes the beat out of the catalogue. Default: basic.
             * @enum {string}
             */
            license_type?: "basic" | "premium" | "unlimited" | "exclusive";
        };
        /** @description A completed order of a beat that the account sold. */
        Sale: {
            /** @description Identifier of the order. */
            id: number;
            /** @description With its title when it was bought. */
            beat: {
                id: number;
                title: string;
            };
            /** @enum {string} */
            license_type: "basic" | "premium" | "unlimited" | "exclusive";
            /** @description At most two decimals. */
            amount: number;
            /** @description What of it went back to the buyer; 0 without a refund. */
            refunded_amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description As their license names them. */
            buyer: {
                name: string;
            };
            /** @description Identifier of the license; null until it is issued. */
            license_id: string | null;
            /** @description Files of the order that the buyer has downloaded. */
            downloads: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            completed_at: string;
            /** @description Of the last refund; null without one. */
            refunded_at: string | null;
        };
        /** @description A file of an order. Its `url` needs no key until it expires. */
        OrderFile: {
            /**
             * @description `mp3`: 320 kbit/s, without a voice tag. `wav`: the recording without loss. `stems`: the producer's ZIP. `license`: the certificate, a PDF.
             * @enum {string}
             */
            kind: "mp3" | "wav" | "stems" | "license";
            /** @description What a browser saves it as. */
            filename: string;
            /** @description Size of the file. */
            bytes: number;
            /** @description Hash of the file's bytes. */
            sha256: string;
            /**
             * Format: uri
             * @description Signed: a client that has it downloads the file until it expires, without a key. Resumes (`Range`).
             */
            url: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds: 15 minutes from now. A download under way is not cut off.
             */
            expires_at: string;
        };
        /** @description The license of an order. */
        OrderLicense: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uri
             * @description The public page that says whether the license is valid.
             */
            url: string;
            /** @description The certificate's facts, signed (JWS, EdDSA) with a key of `/.well-known/jwks.json`. */
            jws: string;
            /** @enum {string} */
            type: "basic" | "premium" | "unlimited" | "exclusive";
            /** @description The version of the terms that it was sold under. */
            terms_version: string;
            /**
             * @description `refunded` once the order is refunded in full.
             * @enum {string}
             */
            status: "valid" | "refunded";
        };
        /** @description What a completed order brings. */
        OrderFiles: {
            /** @description What the license brings, in the order mp3, wav, stems, license. Empty once refunded in full. */
            files: components["schemas"]["OrderFile"][];
            license: components["schemas"]["OrderLicense"];
        };
        /** @description A file that was uploaded, or whose bytes are still arriving. */
        Upload: {
            id: string;
            /** @enum {string} */
            kind: "audio" | "stems" | "cover";
            /** @description As it was given. A text, never a path. */
            filename: string;
            /** @description Of the whole file. */
            bytes: number;
            /** @description Of these so many have arrived. */
            received: number;
            /** @description Of the file as it was sent; null until it is stored. */
            sha256: string | null;
            /**
             * @description receiving becomes analysing with the last byte, then ready or rejected.
             * @enum {string}
             */
            status: "receiving" | "analysing" | "ready" | "rejected";
            /** @description Why it was rejected, as a sentence; null unless it was. */
            rejection: string | null;
            /** @description Of audio that is ready; null otherwise. */
            analysis: components["schemas"]["Analysis"] | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            created_at: string;
            /** @description When it is deleted, unless a beat uses it by then; null when one does. */
            expires_at: string | null;
        };
        /** @description A change of a listed beat. */
        Change: {
            /** @description Rises from change to change; numbers may be left out. */
            position: number;
            /** @enum {string} */
            type: "published" | "updated" | "sold" | "withdrawn";
            beat_id: number;
            /** @description The beat as it is now, in the form of `GET /beats/{beat_id}`; null when it is withdrawn. */
            beat: components["schemas"]["BeatDetail"] | null;
        };
        /** @description A beat and what changed in it. */
        BeatUpdated: {
            id: number;
            title: string;
            /** @description The producing user. */
            user_id: number;
            producer_name: string;
            genre: {
                id: number;
                name: string;
            };
            /** @description The basic license's, at most two decimals. */
            price: number;
            /** @description Whole seconds; 0 when unknown. */
            duration: number;
            /** @description Tempo in beats per minute. */
            bpm: number;
            /** @description Musical key such as "C# minor"; "" when unknown. */
            key: string;
            /** Format: uri */
            audio_url: string;
            /** Format: uri */
            cover_image: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            created_at: string;
            play_count: number;
            download_count: number;
            /** @description Names of the fields that changed. */
            changed: string[];
        };
        /** @description A completed purchase of a beat. */
        Purchase: {
            beat_id: number;
            title: string;
            producer_id: number;
            producer_name: string;
            /** @enum {string} */
            license_type: "basic" | "premium" | "unlimited" | "exclusive";
            /** @description At most two decimals. */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            purchaser_id: number;
        };
        /** @description A public profile and what changed in it. */
        UserUpdated: {
            id: number;
            username: string;
            display_name: string;
            bio: string | null;
            location: string | null;
            website: string | null;
            avatar_url: string | null;
            is_producer: boolean;
            /** @description Beats on sale. */
            beats_count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            created_at: string;
            /** @description Names of the fields that changed. */
            changed: string[];
        };
        ListBeatsQuery: {
            /**
             * @description Page number, from 1.
             * @default 1
             */
            page?: number;
            /**
             * @description Results per page.
             * @default 20
             */
            limit?: number;
            /** @description Only beats of the genres with these ids, separated by commas. */
            genre?: number[];
            /** @description Only beats of the producers with these ids, separated by commas. */
            producer?: number[];
            /** @description Only beats of this `bpm` or faster. */
            bpm_min?: number;
            /** @description Only beats of this `bpm` or slower. */
            bpm_max?: number;
            /** @description Only beats of this `bpm`. Instead of `bpm_min` and `bpm_max`. */
            bpm?: number;
            /** @description Percent by which a beat may differ from `bpm`. Default: 0. */
            bpm_tolerance?: number;
            /** @description Whether beats of half and of double the `bpm` match as well. Default: false. */
            half_double?: boolean;
            /** @description Only beats in these keys, separated by commas: `A minor`, `Am` or `8A` (Camelot); enharmonic spellings are the same key; `unknown` for beats without one. */
            key?: string[];
            /**
             * Format: musical-key
             * @description Only beats that mix with this key: itself, its relative and its neighbours on the circle of fifths. Spelled as in `key`.
             */
            key_compatible?: string;
            /** @description Only beats of this `price` or more. */
            price_min?: number;
            /** @description Only beats of this `price` or less. */
            price_max?: number;
            /** @description Only beats of this many seconds or more. */
            duration_min?: number;
            /** @description Only beats of this many seconds or less. */
            duration_max?: number;
            /**
             * Format: date-time
             * @description Only beats whose `created_at` is this time or later, ISO 8601. A date alone is its first second, UTC.
             */
            created_after?: string;
            /**
             * Format: date-time
             * @description Only beats whose `created_at` is this time or earlier, ISO 8601. A date alone is its last second, UTC.
             */
            created_before?: string;
            /** @description Only beats with one of these tags, separated by commas. Accents and case are ignored. */
            tag?: string[];
            /** @description Only beats of which one of these licenses is available, separated by commas. */
            license?: ("basic" | "premium" | "unlimited" | "exclusive")[];
            /**
             * @description Order of the list. The id is the last key of every order, so pages never overlap.
             * @default newest
             * @enum {string}
             */
            sort?: "newest" | "popular" | "price_asc" | "price_desc" | "bpm_asc" | "bpm_desc";
            /** @description What to count beats by, separated by commas: exact counts under all filters but those on the same property. */
            facets?: ("genre" | "key" | "bpm" | "price" | "tag")[];
            /** @description These beats, sold ones too, in this order and with all details; separated by commas. Only `fields` goes with it. */
            ids?: number[];
            /** @description The fields that objects are reduced to, separated by commas: names of the form that is asked for, those of a single beat included. The schemas of responses describe objects that are not reduced. */
            fields?: string[];
        };
        ListSimilarBeatsQuery: {
            /**
             * @description Number of similar beats.
             * @default 5
             */
            limit?: number;
        };
        ListOwnBeatsQuery: {
            /**
             * @description Page number, from 1.
             * @default 1
             */
            page?: number;
            /**
             * @description Results per page.
             * @default 20
             */
            limit?: number;
            /**
             * @description Only beats with this status.
             * @enum {string}
             */
            status?: "draft" | "processing" | "published" | "withdrawn";
        };
        ListProducersQuery: {
            /**
             * @description Page number, from 1.
             * @default 1
             */
            page?: number;
            /**
             * @description Results per page.
             * @default 20
             */
            limit?: number;
            /**
             * @description Order of the list. The id is the last key of every order, so pages never overlap.
             * @default popular
             * @enum {string}
             */
            sort?: "popular" | "newest" | "name";
        };
        SearchQuery: {
            /** @description What to look for: words of titles, producers, genres and tags, tempos (`140 bpm`, `138-142`) and keys (`a minor`, `8A`). The last word may be unfinished. Accents and case are ignored, and typing errors forgiven. */
            q: string;
            /**
             * @description What to look among.
             * @default all
             * @enum {string}
             */
            type?: "beats" | "producers" | "all";
            /**
             * @description Page number, from 1.
             * @default 1
             */
            page?: number;
            /**
             * @description Results per page: up to as many beats, and up to as many producers.
             * @default 20
             */
            limit?: number;
            /** @description Only beats of the genres with these ids, separated by commas. */
            genre?: number[];
            /** @description Only beats of the producers with these ids, separated by commas. */
            producer?: number[];
            /** @description Only beats of this `bpm` or faster. */
            bpm_min?: number;
            /** @description Only beats of this `bpm` or slower. */
            bpm_max?: number;
            /** @description Only beats of this `bpm`. Instead of `bpm_min` and `bpm_max`. */
            bpm?: number;
            /** @description Percent by which a beat may differ from `bpm`. Default: 0. */
            bpm_tolerance?: number;
            /** @description Whether beats of half and of double the `bpm` match as well. Default: false. */
            half_double?: boolean;
            /** @description Only beats in these keys, separated by commas: `A minor`, `Am` or `8A` (Camelot); enharmonic spellings are the same key; `unknown` for beats without one. */
            key?: string[];
            /**
             * Format: musical-key
             * @description Only beats that mix with this key: itself, its relative and its neighbours on the circle of fifths. Spelled as in `key`.
             */
            key_compatible?: string;
            /** @description Only beats of this `price` or more. */
            price_min?: number;
            /** @description Only beats of this `price` or less. */
            price_max?: number;
            /** @description Only beats of this many seconds or more. */
            duration_min?: number;
            /** @description Only beats of this many seconds or less. */
            duration_max?: number;
            /**
             * Format: date-time
             * @description Only beats whose `created_at` is this time or later, ISO 8601. A date alone is its first second, UTC.
             */
            created_after?: string;
            /**
             * Format: date-time
             * @description Only beats whose `created_at` is this time or earlier, ISO 8601. A date alone is its last second, UTC.
             */
            created_before?: string;
            /** @description Only beats with one of these tags, separated by commas. Accents and case are ignored. */
            tag?: string[];
            /** @description Only beats of which one of these licenses is available, separated by commas. */
            license?: ("basic" | "premium" | "unlimited" | "exclusive")[];
            /**
             * @description Order of the beats.
             * @default relevance
             * @enum {string}
             */
            sort?: "relevance" | "newest" | "popular" | "price_asc" | "price_desc" | "bpm_asc" | "bpm_desc";
            /** @description What to count beats by, separated by commas: exact counts under all filters but those on the same property. */
            facets?: ("genre" | "key" | "bpm" | "price" | "tag")[];
            /** @description The fields that objects are reduced to, separated by commas: names of the form that is asked for, those of a single beat included. The schemas of responses describe objects that are not reduced. */
            fields?: string[];
            /**
             * @description Whether tempos and keys in `q` become filters; with false, they are words like any other.
             * @default true
             */
            interpret?: boolean;
        };
        ListOrdersQuery: {
            /**
             * @description Page number, from 1.
             * @default 1
             */
            page?: number;
            /**
             * @description Results per page.
             * @default 20
             */
            limit?: number;
            /**
             * @description Only orders in this state.
             * @enum {string}
             */
            status?: "completed" | "pending" | "failed";
        };
        ListSalesQuery: {
            /**
             * @description Page number, from 1.
             * @default 1
             */
            page?: number;
            /**
             * @description Results per page.
             * @default 20
             */
            limit?: number;
            /**
             * Format: date-time
             * @description Only sales completed at this time or later, ISO 8601. A date alone is its first moment, UTC.
             */
            from?: string;
            /**
             * Format: date-time
             * @description Only sales completed before this time, ISO 8601. A date alone is its first moment, UTC.
             */
            to?: string;
            /** @description Only sales of this beat. */
            beat?: number;
        };
        ExportSalesQuery: {
            /** @description Year and month, such as `2026-11`. */
            month: string;
        };
        ListUploadsQuery: {
            /**
             * @description Page number, from 1.
             * @default 1
             */
            page?: number;
            /**
             * @description Results per page.
             * @default 20
             */
            limit?: number;
        };
        ListChangesQuery: {
            /** @description Only changes behind this position: the `next` of the last response, or the `X-Change-Position` of an export. Without it, from the oldest change that is kept. */
            after?: number;
            /**
             * @description Changes per response.
             * @default 100
             */
            limit?: number;
            /**
             * @description Seconds to wait for the first change when there is none. The response comes as soon as there is one.
             * @default 0
             */
            wait?: number;
        };
        ListEventsQuery: {
            /** @description Only events behind this position: the `next` of the last response. Without it, from the oldest event that is kept. */
            after?: number;
            /** @description Only events of these types, separated by commas: beat.created, beat.updated, beat.purchased, user.registered, user.updated. Without it, all, types added later too. */
            type?: string;
            /**
             * @description Events per response.
             * @default 100
             */
            limit?: number;
            /**
             * @description Seconds to wait for the first event when there is none. The response comes as soon as there is one.
             * @default 0
             */
            wait?: number;
        };
        ListBeatsResult: {
            beats: components["schemas"]["Beat"][];
            pagination: components["schemas"]["Pagination"];
            /** @description With `facets`: beats by value. */
            facets?: {
                /** @description Most frequent first. */
                genre?: {
                    value: {
                        id: number;
                        name: string;
                    };
                    count: number;
                }[];
                /** @description Most frequent first. */
                key?: {
                    /** @description As beats show it; "" where it is unknown. */
                    value: string;
                    count: number;
                }[];
                /** @description In tens, slowest first. */
                bpm?: {
                    /** @description The lowest bpm of a ten, as for `bpm_min`. */
                    value: number;
                    /** @description The highest, as for `bpm_max`. */
                    max: number;
                    count: number;
                }[];
                /** @description At most ten ranges, lowest first. */
                price?: {
                    /** @description The lowest price of a range, as for `price_min`. */
                    value: number;
                    /** @description The highest, as for `price_max`. */
                    max: number;
                    count: number;
                }[];
                /** @description The 100 most frequent, most frequent first. */
                tag?: {
                    value: string;
                    count: number;
                }[];
            };
            /** @description With `ids`: those that nobody has. */
            missing?: number[];
        };
        SearchResult: {
            beats: components["schemas"]["Beat"][];
            producers: components["schemas"]["Producer"][];
            pagination: components["schemas"]["Pagination"];
            /** @description All results of each type. */
            totals: {
                beats: number;
                producers: number;
            };
            /** @description What was understood of `q`, in the names of parameters; absent with `interpret=false`. */
            interpreted?: {
                /** @description The words that were searched for. */
                q: string;
                bpm_min?: number;
                bpm_max?: number;
                /** @description As the parameter `key`. */
                key?: string;
                /** @description What was searched for instead of a word, by the word. */
                corrected?: {
                    [key: string]: string;
                };
                /** @description Words that were left out, since nothing has all of them. */
                ignored?: string[];
            };
            /** @description With `facets`: beats by value. */
            facets?: {
                /** @description Most frequent first. */
                genre?: {
                    value: {
                        id: number;
                        name: string;
                    };
                    count: number;
                }[];
                /** @description Most frequent first. */
                key?: {
                    /** @description As beats show it; "" where it is unknown. */
                    value: string;
                    count: number;
                }[];
                /** @description In tens, slowest first. */
                bpm?: {
                    /** @description The lowest bpm of a ten, as for `bpm_min`. */
                    value: number;
                    /** @description The highest, as for `bpm_max`. */
                    max: number;
                    count: number;
                }[];
                /** @description At most ten ranges, lowest first. */
                price?: {
                    /** @description The lowest price of a range, as for `price_min`. */
                    value: number;
                    /** @description The highest, as for `price_max`. */
                    max: number;
                    count: number;
                }[];
                /** @description The 100 most frequent, most frequent first. */
                tag?: {
                    value: string;
                    count: number;
                }[];
            };
        };
    };
}
