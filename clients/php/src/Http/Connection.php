<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Client;
use BeatMarket\Collection;
use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Model\Fields;
use BeatMarket\Model\Model;
use BeatMarket\Operation;
use BeatMarket\Response;
use BeatMarket\Secret;

/**
 * Sends calls: adds headers, retries, logs, and turns error responses into exceptions.
 *
 * @internal
 */
final class Connection
{
    /** Of a link; those of the API are not followed. */
    private const REDIRECTS = [301, 302, 303, 307, 308];
    private const MAX_REDIRECTS = 5;
    private const USER_AGENT = 'beatmarket-php/' . Client::VERSION . ' php/' . PHP_VERSION;

    /**
     * @param float                                                     $timeout seconds per attempt
     * @param \Closure(string, string, array<string, mixed>): void|null $log     with the parameters of LoggerInterface::log()
     * @param \Closure(float): void                                     $sleep   waits that many seconds
     */
    public function __construct(
        private readonly Secret $apiKey,
        private readonly BaseUrl $baseUrl,
        private readonly float $timeout,
        public readonly Retries $retries,
        private readonly Transport $transport,
        private readonly ?\Closure $log,
        private readonly \Closure $sleep,
    ) {
        if (!($timeout > 0 && is_finite($timeout))) {
            throw new InvalidArgumentException('timeout must be more than 0 seconds.');
        }
    }

    /**
     * The URL of an operation.
     *
     * @param array<string, int|string> $ids   values of the ids in braces in the path
     * @param array<string, mixed>      $query null values are omitted
     *
     * @throws InvalidArgumentException if an id is empty
     */
    public function url(Operation $operation, array $ids = [], array $query = []): string
    {
        $path = $operation->path();
        foreach ($ids as $name => $id) {
            $path = str_replace("{{$name}}", BaseUrl::segment($name, $id), $path);
        }

        return $this->baseUrl->to($path, $query);
    }

    /** The normalized URL of a next page, or null if its origin is not that of the base URL. */
    public function own(string $url): ?string
    {
        return $this->baseUrl->own($url);
    }

    /**
     * @param string       $url         made by url() or own()
     * @param float        $waitSeconds how long the service may wait before it responds; extends the timeout
     * @param Retries|null $retries     null for the client's
     * @param Download|null $download   takes the body
     */
    public function get(string $url, float $waitSeconds = 0, ?Retries $retries = null, ?Download $download = null): Response
    {
        return $this->send('GET', $url, null, [], $waitSeconds, $retries, $download);
    }

    /**
     * Calls an operation that changes something.
     *
     * @param array<string, mixed>|null $body    fields, of which null values are sent; null is no body
     * @param array<string, string>     $headers in addition to the library's
     * @param array<string, int|string> $ids     values of the ids in braces in the path
     *
     * @throws InvalidArgumentException if an id is empty, or a header is invalid
     */
    public function call(Operation $operation, ?array $body = null, array $headers = [], array $ids = []): Response
    {
        $json = $body === null ? null : self::json((object) $body);

        return $this->send($operation->method(), $this->url($operation, $ids), $json, $headers);
    }

    /**
     * The header of a call that is carried out once.
     *
     * @return array<string, string>
     *
     * @throws InvalidArgumentException if the key is invalid
     */
    public static function idempotency(?string $key): array
    {
        if ($key !== null && preg_match('/^[\x21-\x7E]{1,255}$/D', $key) !== 1) {
            throw new InvalidArgumentException('The idempotencyKey must be 1 to 255 visible ASCII characters.');
        }

        return $key === null ? [] : ['Idempotency-Key' => $key];
    }

    /**
     * Sends any request below the base URL.
     *
     * @param array<string, mixed>  $query   null values are omitted
     * @param mixed                 $body    sent as JSON; null is no body
     * @param array<string, string> $headers override the library's
     */
    public function request(string $method, string $path, array $query, mixed $body, array $headers): Response
    {
        if (preg_match('/^[A-Z]+$/D', $method) !== 1) {
            throw new InvalidArgumentException('The method must be an upper-case word such as GET.');
        }
        $url = $this->baseUrl->toGiven($path, $query);
        $response = $this->send($method, $url, $body === null ? null : self::json($body), $headers);

        $isRead = is_array($response->body) || $method === 'HEAD' || $response->status === 204;

        return $isRead ? $response : throw APIStatusException::of($response, $this->apiKey);
    }

    /**
     * Parses the data of a successful response.
     *
     * @template T
     *
     * @param \Closure(Fields): T $read
     *
     * @return T
     *
     * @throws APIStatusException if the data has an unknown form
     */
    public function read(Response $response, \Closure $read): mixed
    {
        $body = $response->body;
        $data = is_array($body) && ($body['status'] ?? null) === 'success' ? $body['data'] ?? null : null;
        if (!is_array($data)) {
            throw APIStatusException::of($response, $this->apiKey);
        }
        try {
            return $read(new Fields($data));
        } catch (InvalidArgumentException $error) {
            $message = APIStatusException::UNKNOWN_FORM . ': ' . lcfirst($error->getMessage());
            throw new APIStatusException($response->status, null, rtrim($message, '.'), null, $response, $error);
        }
    }

    /**
     * Parses a response with a single object.
     *
     * @template T of Model
     *
     * @param class-string<T> $model
     *
     * @return T
     */
    public function readOne(Response $response, string $name, string $model): Model
    {
        return $this->read($response, static fn (Fields $data): Model => new $model($data->object($name), $response));
    }

    /**
     * Parses a response with a list without pages.
     *
     * @template T of Model
     *
     * @param class-string<T> $model
     *
     * @return Collection<T>
     */
    public function readAll(Response $response, string $name, string $model): Collection
    {
        return $this->read(
            $response,
            static fn (Fields $data): Collection => new Collection($data->models($name, $model), $response),
        );
    }

    /**
     * Sends a request, and retries temporary failures.
     *
     * @param string                $url         made by url() or own()
     * @param string|null           $body        the bytes; JSON, unless the headers say what
     * @param array<string, string> $headers     override the library's
     * @param float                 $waitSeconds extends the timeout
     * @param Retries|null          $retries     null for the client's
     * @param Download|null         $download    takes the body of the response
     */
    public function send(
        string $method,
        string $url,
        ?string $body,
        array $headers,
        float $waitSeconds = 0,
        ?Retries $retries = null,
        ?Download $download = null,
    ): Response {
        $own = ['Accept' => 'application/json', 'User-Agent' => self::USER_AGENT];
        if ($body !== null) {
            $own['Content-Type'] = 'application/json';
        }
        if ($method === 'POST') {
            $own['Idempotency-Key'] = self::uuid(); // Shared by all attempts, so that a retry is safe.
        }
        $all = $headers === [] ? $own : self::merged($own, $headers);
        $request = new Request($method, $url, $all, $body, $this->timeout + $waitSeconds, $this->apiKey, $download);

        return $this->retry(
            fn (): Response => $this->attempt($request),
            $retries ?? $this->retries,
            static fn (): bool => $download?->hasAdvanced() === true,
        );
    }

    /**
     * Tries until it succeeds, or fails for good.
     *
     * @template T
     *
     * @param \Closure(): T    $attempt
     * @param \Closure(): bool $hasAdvanced whether the attempt got further than those before: they are counted anew then
     *
     * @return T
     */
    public function retry(\Closure $attempt, Retries $retries, \Closure $hasAdvanced): mixed
    {
        for ($retry = 0; ; ++$retry) {
            try {
                return $attempt();
            } catch (APIStatusException | APIConnectionException $error) {
                $retry = $hasAdvanced() ? 0 : $retry;
                $wait = $retries->waitAfter($error, $retry) ?? throw $error;
                if ($this->log !== null) {
                    ($this->log)('info', 'Trying again in {seconds} s', ['seconds' => round($wait, 3), 'retry' => $retry + 1]);
                }
                $this->pause($wait);
            }
        }
    }

    /** Waits as the client's setting `sleep` does. */
    public function pause(float $seconds): void
    {
        ($this->sleep)($seconds);
    }

    /**
     * Fetches a signed link once, without the key, and what it redirects to: the storage.
     *
     * @param Download $download takes the body
     *
     * @throws APIStatusException     if the status is not 2xx
     * @throws APIConnectionException if there is no complete response
     */
    public function fetch(string $link, Download $download): Response
    {
        $headers = ['Accept-Encoding' => 'identity', 'User-Agent' => self::USER_AGENT];
        $url = BaseUrl::link($link) ?? throw new InvalidArgumentException('The link of the file is no https address.');
        for ($redirects = 0; ; ++$redirects) {
            $response = $this->exchange(new Request('GET', $url, $headers, null, $this->timeout, null, $download));
            if (!in_array($response->status, self::REDIRECTS, true)) {
                return $this->successful($response);
            }
            $url = $redirects === self::MAX_REDIRECTS ? null : BaseUrl::redirect($url, $response->header('location') ?? '');
            if ($url === null) {
                $message = 'The link of a file redirects too often, or to what is no https address';
                throw new APIStatusException($response->status, null, $message, null, $response);
            }
        }
    }

    private function attempt(Request $request): Response
    {
        return $this->successful($this->exchange($request));
    }

    private function successful(Response $response): Response
    {
        return $response->status >= 200 && $response->status < 300 ? $response : throw APIStatusException::of($response, $this->apiKey);
    }

    private function exchange(Request $request): Response
    {
        $start = hrtime(true);
        try {
            $response = $this->transport->send($request);
        } catch (APIConnectionException $error) {
            $this->report($request, $start, 'warning', '{error}', ['error' => $error->getMessage()]);
            throw $error;
        }
        $this->report($request, $start, 'debug', '{status}', ['status' => $response->status, 'request_id' => $response->requestId]);

        return $response;
    }

    /**
     * @param int                  $start   start of the attempt, from hrtime()
     * @param array<string, mixed> $context without headers and bodies, which contain the key and personal data
     */
    private function report(Request $request, int $start, string $level, string $outcome, array $context): void
    {
        if ($this->log !== null) {
            ($this->log)($level, "{method} {url}: {$outcome}, {seconds} s", [
                'method' => $request->method,
                'url' => $request->shownUrl(),
                'seconds' => round((hrtime(true) - $start) / 1e9, 3),
            ] + $context);
        }
    }

    /**
     * @param array<string, string> $own
     * @param array<string, string> $given override own headers
     *
     * @return array<string, string>
     */
    private static function merged(array $own, array $given): array
    {
        foreach ($given as $name => $value) {
            $name = (string) $name;
            if (preg_match('/^[!#$%&\'*+.^_`|~0-9A-Za-z-]+$/D', $name) !== 1 || strcasecmp($name, 'Authorization') === 0) {
                throw new InvalidArgumentException('A header has no name, an impossible one, or that of the key.');
            }
            if (!is_string($value) || preg_match('/^[\x21-\x7E]+([ \t]+[\x21-\x7E]+)*$/D', $value) !== 1) {
                throw new InvalidArgumentException("The header {$name} must be visible ASCII characters.");
            }
        }
        $names = array_change_key_case($given);
        $isKept = static fn (string $name): bool => !isset($names[strtolower($name)]);

        return array_filter($own, $isKept, ARRAY_FILTER_USE_KEY) + $given;
    }

    private static function json(mixed $body): string
    {
        try {
            return json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        } catch (\JsonException $error) {
            throw new InvalidArgumentException("The body cannot be written as JSON: {$error->getMessage()}.", 0, $error);
        }
    }

    private static function uuid(): string
    {
        $hex = bin2hex(random_bytes(16));
        $hex[12] = '4';
        $hex[16] = '89ab'[hexdec($hex[16]) & 3];

        return implode('-', [substr($hex, 0, 8), substr($hex, 8, 4), substr($hex, 12, 4), substr($hex, 16, 4), substr($hex, 20)]);
    }
}
