// Made from contract/openapi.json by npm run contract; do not edit.

export interface components {
    schemas: {
        Beat: {
            /** Format: int64 */
            id: number;
            title: string;
            /**
             * Format: int64
             * @description The producing user.
             */
            user_id: number;
            producer_name: string;
            genre: {
                /** Format: int64 */
                id: number;
                name: string;
            };
            /**
             * Format: double
             * @description The basic license's, at most two decimals.
             */
            price: number;
            /**
             * Format: int64
             * @description Whole seconds; 0 when unknown.
             */
            duration: number;
            /**
             * Format: int64
             * @description Tempo in beats per minute.
             */
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
            /** Format: int64 */
            play_count: number;
            /** Format: int64 */
            download_count: number;
        };
        Pagination: {
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            per_page: number;
            /** Format: int64 */
            current_page: number;
            /** Format: int64 */
            last_page: number;
            next_page_url: string | null;
            prev_page_url: string | null;
        };
        BeatDetail: {
            /** Format: int64 */
            id: number;
            title: string;
            /**
             * Format: int64
             * @description The producing user.
             */
            user_id: number;
            producer_name: string;
            genre: {
                /** Format: int64 */
                id: number;
                name: string;
            };
            /**
             * Format: double
             * @description The basic license's, at most two decimals.
             */
            price: number;
            /**
             * Format: int64
             * @description Whole seconds; 0 when unknown.
             */
            duration: number;
            /**
             * Format: int64
             * @description Tempo in beats per minute.
             */
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
            /** Format: int64 */
            play_count: number;
            /** Format: int64 */
            download_count: number;
            description: string;
            tags: string[];
            licenses: {
                /** @enum {string} */
                type: "basic" | "premium" | "unlimited" | "exclusive";
                /** Format: double */
                price: number;
                /** @description False for every license while the exclusive one is being bought, and once it is sold. */
                available: boolean;
            }[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            updated_at: string;
        };
        SimilarBeat: {
            /** Format: int64 */
            id: number;
            title: string;
            /**
             * Format: int64
             * @description The producing user.
             */
            user_id: number;
            producer_name: string;
            genre: {
                /** Format: int64 */
                id: number;
                name: string;
            };
            /**
             * Format: double
             * @description The basic license's, at most two decimals.
             */
            price: number;
            /**
             * Format: int64
             * @description Whole seconds; 0 when unknown.
             */
            duration: number;
            /**
             * Format: int64
             * @description Tempo in beats per minute.
             */
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
            /** Format: int64 */
            play_count: number;
            /** Format: int64 */
            download_count: number;
            similarity: {
                /**
                 * Format: double
                 * @description 1 is a perfect match.
                 */
                score: number;
                /**
                 * Format: double
                 * @description The octave in which this beat's tempo was compared: 0.5, 1 or 2; 2 when it is about twice as fast.
                 */
                tempo_ratio: number;
                /**
                 * Format: double
                 * @description Absolute difference of the tempi in that octave, two decimals.
                 */
                bpm_difference_percent: number;
                /**
                 * @description On the circle of fifths; other also where a key is unknown.
                 * @enum {string}
                 */
                key_relation: "same" | "relative" | "adjacent" | "other";
                same_genre: boolean;
            };
        };
        User: {
            /** Format: int64 */
            id: number;
            username: string;
            display_name: string;
            bio: string | null;
            location: string | null;
            website: string | null;
            avatar_url: string | null;
            is_producer: boolean;
            /**
             * Format: int64
             * @description Beats on sale.
             */
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
        Producer: {
            /** Format: int64 */
            id: number;
            username: string;
            display_name: string;
            bio: string | null;
            location: string | null;
            website: string | null;
            avatar_url: string | null;
            is_producer: boolean;
            /**
             * Format: int64
             * @description Beats on sale.
             */
            beats_count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            created_at: string;
            /**
             * Format: int64
             * @description Plays of all beats on sale.
             */
            play_count: number;
            /** @description Most used first. */
            genres: {
                /** Format: int64 */
                id: number;
                name: string;
            }[];
        };
        Genre: {
            /** Format: int64 */
            id: number;
            name: string;
            slug: string;
            /**
             * Format: int64
             * @description Beats on sale in this genre.
             */
            beats_count: number;
        };
        Order: {
            /** Format: int64 */
            id: number;
            /**
             * @description pending becomes completed or failed; both are final.
             * @enum {string}
             */
            status: "completed" | "pending" | "failed";
            /** @description As it was when it was bought. */
            beat: {
                /** Format: int64 */
                id: number;
                title: string;
                /** Format: int64 */
                producer_id: number;
                producer_name: string;
            };
            /** @enum {string} */
            license_type: "basic" | "premium" | "unlimited" | "exclusive";
            /**
             * Format: double
             * @description At most two decimals.
             */
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
        };
        OrderRequest: {
            /**
             * Format: int64
             * @description The beat to buy.
             */
            beat_id: number;
            /** @description How to pay: the payment provider's identifier of a payment method, such as `pm_card_visa`. Never a card number. */
            payment_method: string;
            /**
             * @description The license to buy. An exclusive one sells once, and takes the beat out of the catalogue. Default: basic.
             * @enum {string}
             */
            license_type?: "basic" | "premium" | "unlimited" | "exclusive";
        };
        Change: {
            /**
             * Format: int64
             * @description Rises from change to change; numbers may be left out.
             */
            position: number;
            /** @enum {string} */
            type: "published" | "updated" | "sold" | "withdrawn";
            /** Format: int64 */
            beat_id: number;
            /** @description The beat as it is now, in the form of `GET /beats/{beat_id}`; null when it is withdrawn. */
            beat: components["schemas"]["BeatDetail"] | null;
        };
        BeatUpdated: {
            /** Format: int64 */
            id: number;
            title: string;
            /**
             * Format: int64
             * @description The producing user.
             */
            user_id: number;
            producer_name: string;
            genre: {
                /** Format: int64 */
                id: number;
                name: string;
            };
            /**
             * Format: double
             * @description The basic license's, at most two decimals.
             */
            price: number;
            /**
             * Format: int64
             * @description Whole seconds; 0 when unknown.
             */
            duration: number;
            /**
             * Format: int64
             * @description Tempo in beats per minute.
             */
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
            /** Format: int64 */
            play_count: number;
            /** Format: int64 */
            download_count: number;
            /** @description Names of the fields that changed. */
            changed: string[];
        };
        Purchase: {
            /** Format: int64 */
            beat_id: number;
            title: string;
            /** Format: int64 */
            producer_id: number;
            producer_name: string;
            /** @enum {string} */
            license_type: "basic" | "premium" | "unlimited" | "exclusive";
            /**
             * Format: double
             * @description At most two decimals.
             */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** Format: int64 */
            purchaser_id: number;
        };
        UserUpdated: {
            /** Format: int64 */
            id: number;
            username: string;
            display_name: string;
            bio: string | null;
            location: string | null;
            website: string | null;
            avatar_url: string | null;
            is_producer: boolean;
            /**
             * Format: int64
             * @description Beats on sale.
             */
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
             * Format: int32
             * @description Page number, from 1.
             * @default 1
             */
            page?: number;
            /**
             * Format: int32
             * @description Results per page.
             * @default 20
             */
            limit?: number;
            /** @description Only beats of the genre with this id. */
            genre?: number;
            /** @description Only beats of the producer with this id. */
            producer?: number;
            /**
             * @description Order of the list. The id is the last key of every order, so pages never overlap.
             * @default newest
             * @enum {string}
             */
            sort?: "newest" | "popular" | "price_asc" | "price_desc";
        };
        ListSimilarBeatsQuery: {
            /**
             * Format: int32
             * @description Number of similar beats.
             * @default 5
             */
            limit?: number;
        };
        ListProducersQuery: {
            /**
             * Format: int32
             * @description Page number, from 1.
             * @default 1
             */
            page?: number;
            /**
             * Format: int32
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
            /** @description What to look for. Every word must match; the last one may be unfinished. Accents and case are ignored, and words of four letters or more forgive typing errors. */
            q: string;
            /**
             * @description What to look among.
             * @default all
             * @enum {string}
             */
            type?: "beats" | "producers" | "all";
            /**
             * Format: int32
             * @description Page number, from 1.
             * @default 1
             */
            page?: number;
            /**
             * Format: int32
             * @description Results per page.
             * @default 20
             */
            limit?: number;
        };
        ListOrdersQuery: {
            /**
             * Format: int32
             * @description Page number, from 1.
             * @default 1
             */
            page?: number;
            /**
             * Format: int32
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
        ListChangesQuery: {
            /**
             * Format: int32
             * @description Changes per response.
             * @default 100
             */
            limit?: number;
            /**
             * Format: int32
             * @description Seconds to wait for the first change when there is none. The response comes as soon as there is one.
             * @default 0
             */
            wait?: number;
        };
    };
}
