// The portal's routes as its web app sees them. Rebuilt by `npm run contract`; do not edit.

export interface paths {
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in, and what this server offers */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for an account; a mailed link confirms it */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a registration by its link and password, and sign in */
        post: operations["confirmRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/demo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in as the demo account, in demo mode */
        post: operations["signInAsDemo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the session */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the password, and end every other session */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/request-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for a mailed link to choose a new password */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose a new password by a mailed link, and sign in */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's calls, newest first */
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The keys that calls can have been made with */
        get: operations["listCallKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A call: what was sent, why it was refused, what it made happen */
        get: operations["getCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Calls over time, how they ended, how long they took, and how far limits were used */
        get: operations["getAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Session: {
            account: {
                user_id: number;
                name: string;
                email: string;
                /** @description Shared by everyone who tries the demo; it has no password. */
                is_demo: boolean;
            } | null;
            /** @description The address of the API. */
            base_url: string;
            /** @description Whether anybody may sign in as the demo account. */
            offers_demo: boolean;
            /** @description This server has no mail server, and writes mails into DATA_DIR/mail. */
            mails_are_files: boolean;
        };
        LoggedCall: {
            id: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            time: string;
            request_id: string;
            key: {
                id: number;
                /** @description Null once the key is forgotten. */
                name: string | null;
                /** @description The last characters of the key. */
                ends_with: string | null;
            };
            method: string;
            /** @description As called. */
            path: string;
            /** @description As called, without the question mark. */
            query: string;
            /** @description Null where the path is none of ours. */
            operation: string | null;
            status: number;
            duration_ms: number;
            /** @description Null unless it was refused or failed. */
            error_code: string | null;
            /** @description The window, permission or parameter that stood in the way. */
            refused_by: string | null;
        };
        CausedEvent: {
            id: string;
            type: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            deliveries: {
                id: number;
                endpoint_id: number;
                url: string;
                /** @enum {unknown} */
                state: "pending" | "sending" | "succeeded" | "failed" | "skipped";
                attempts: number;
            }[];
        };
        LoggedCallDetail: {
            id: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            time: string;
            request_id: string;
            key: {
                id: number;
                /** @description Null once the key is forgotten. */
                name: string | null;
                /** @description The last characters of the key. */
                ends_with: string | null;
            };
            method: string;
            /** @description As called. */
            path: string;
            /** @description As called, without the question mark. */
            query: string;
            /** @description Null where the path is none of ours. */
            operation: string | null;
            status: number;
            duration_ms: number;
            /** @description Null unless it was refused or failed. */
            error_code: string | null;
            /** @description The window, permission or parameter that stood in the way. */
            refused_by: string | null;
            /** @description The error as it was answered. */
            error: {
                code: string;
                message: string;
                details: string;
            } | null;
            /** @description Why it was refused, and what to do. */
            refusal: {
                reason: string;
                advice: string;
            } | null;
            /** @description What is kept of the request's headers, the key masked. */
            headers: {
                name: string;
                value: string;
            }[];
            /** @description As sent, up to 4,000 bytes, without what may be the number of a card. */
            body: string | null;
            client_address: string;
            /** @description What the call made happen, and its deliveries to the account's endpoints. */
            events: components["schemas"]["CausedEvent"][];
        };
        Outcomes: {
            calls: number;
            /** @description 2xx. */
            successes: number;
            /** @description 3xx: 304, not modified. */
            redirects: number;
            /** @description 4xx. */
            refusals: number;
            /** @description 5xx. */
            failures: number;
            /** @description Half of the calls took no longer, in milliseconds. */
            p50_ms: number | null;
            /** @description 95 % of the calls took no longer, in milliseconds. */
            p95_ms: number | null;
            /** @description 99 % of the calls took no longer, in milliseconds. */
            p99_ms: number | null;
        };
        Analytics: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            from: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            to: string;
            bar_seconds: number;
            /** @description How far a percentile may be from the true one, as a share of it. */
            percentile_error: number;
            total: components["schemas"]["Outcomes"];
            /** @description Oldest first; the last is still running. */
            bars: {
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                start: string;
                calls: number;
                /** @description 2xx. */
                successes: number;
                /** @description 3xx: 304, not modified. */
                redirects: number;
                /** @description 4xx. */
                refusals: number;
                /** @description 5xx. */
                failures: number;
                /** @description Half of the calls took no longer, in milliseconds. */
                p50_ms: number | null;
                /** @description 95 % of the calls took no longer, in milliseconds. */
                p95_ms: number | null;
                /** @description 99 % of the calls took no longer, in milliseconds. */
                p99_ms: number | null;
            }[];
            /** @description Most called first; "none" stands for paths that are none of ours. */
            operations: {
                operation: string;
                calls: number;
                /** @description 2xx. */
                successes: number;
                /** @description 3xx: 304, not modified. */
                redirects: number;
                /** @description 4xx. */
                refusals: number;
                /** @description 5xx. */
                failures: number;
                /** @description Half of the calls took no longer, in milliseconds. */
                p50_ms: number | null;
                /** @description 95 % of the calls took no longer, in milliseconds. */
                p95_ms: number | null;
                /** @description 99 % of the calls took no longer, in milliseconds. */
                p99_ms: number | null;
            }[];
            /** @description Most frequent first, at most 20. */
            errors: {
                status: number;
                refused_by: string;
                operation: string;
                calls: number;
            }[];
            /** @description Keys with calls, most calls first. */
            limits: {
                key: {
                    id: number;
                    name: string;
                    ends_with: string;
                };
                plan: string;
                admitted: number;
                /** @description What the key's plan allows. */
                allowed: {
                    /** @description Null: no limit. */
                    minute: number | null;
                    /** @description Null: no limit. */
                    hour: number | null;
                    /** @description Null: no limit. */
                    day: number | null;
                };
                /** @description The fullest there was. */
                busiest: {
                    /** @description Null: not known for this span. */
                    minute: number | null;
                    /** @description Null: not known for this span. */
                    hour: number | null;
                    /** @description Null: not known for this span. */
                    day: number | null;
                };
                /** @description Calls refused because that window was full. */
                refused: {
                    minute: number;
                    hour: number;
                    day: number;
                };
            }[];
        };
        Error: {
            /** @constant */
            status: "error";
            error: {
                /** @enum {unknown} */
                code: "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "rate_limit_exceeded" | "server_error";
                /** @description Short text. */
                message: string;
                /** @description What exactly is wrong, and what to do. */
                details: string;
            };
        };
    };
    responses: {
        /** @description A parameter or body field is missing, unknown, repeated, of the wrong type or out of range. */
        Error400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Nobody is signed in, or the password is wrong. */
        Error401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request does not come from a page of the portal. */
        Error403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It does not exist, or belongs to somebody else. */
        Error404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It stands against what has happened before; details say what. */
        Error409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body has more than 100 kB. */
        Error413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not JSON. */
        Error415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many tries; Retry-After says when to come back. */
        Error429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something unexpected went wrong on our side. */
        Error500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service is overloaded or its database is out of reach. */
        Error503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["Error400"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description An e-mail address, in any case. */
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    confirmRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What stands behind # in the mailed link. */
                    token: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An e-mail address, in any case. */
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signInAsDemo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An e-mail address, in any case. */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What stands behind # in the mailed link. */
                    token: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listCalls: {
        parameters: {
            query?: {
                /** @description Only calls answered so. */
                class?: "2xx" | "3xx" | "4xx" | "5xx";
                /** @description Only calls with this status. */
                status?: number;
                /** @description Only calls refused with this code. */
                code?: "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "rate_limit_exceeded" | "server_error";
                /** @description Only calls with this method. */
                method?: string;
                /** @description Only calls of this operation; "none" for paths that are none of ours. */
                operation?: string;
                /** @description Only calls whose path, as it was called, contains this. */
                path?: string;
                /** @description Only calls made with this key. */
                key?: number;
                /** @description Calls from then on, ISO 8601. */
                from?: string;
                /** @description Calls before then, ISO 8601. */
                to?: string;
                /** @description Found in path, query, error details, request id or user agent. */
                text?: string;
                /** @description The page behind this, as `next` of the one before has it. */
                before?: string;
                /** @description Calls of a page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. Fewer than `limit` with a `next`: the search goes on there. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        calls: components["schemas"]["LoggedCall"][];
                        /** @description What `before` takes for the next page; null when all was searched. */
                        next: string | null;
                        /** @description The oldest call looked at; null when all was searched. */
                        searched_to: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listCallKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first, revoked and expired ones too. */
                        keys: {
                            id: number;
                            name: string;
                            ends_with: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the log entry. */
                call_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedCallDetail"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAnalytics: {
        parameters: {
            query?: {
                /** @description How far to look back from now. */
                span?: "hour" | "day" | "week" | "month";
                /** @description Only calls made with this key. */
                key?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Analytics"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
}
