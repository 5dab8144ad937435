<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Response;
use BeatMarket\Secret;

/** @internal Sends requests: retries, and turns error responses into exceptions. */
final class Sender
{
    private const MAX_REDIRECTS = 5; // Redirects of a link. Redirects of the API are not followed.

    /** @param \Closure(float): void $sleep waits that many seconds */
    public function __construct(
        public readonly Secret $apiKey,
        public readonly float $timeout,
        public readonly Retries $retries,
        private readonly Transport $transport,
        public readonly \Closure $sleep,
        public readonly Extras $extras,
        private readonly Observers $observers,
    ) {
        if (!($timeout > 0 && is_finite($timeout))) {
            throw new InvalidArgumentException('timeout must be more than 0 seconds.');
        }
    }

    /**
     * @param array<string, string> $headers
     * @param array<string, mixed>  $query
     * @param array<string, mixed>  $body
     */
    public function with(?float $timeout, ?int $maxRetries, ?int $maxRetryAfter, array $headers, array $query, array $body): self
    {
        $retries = new Retries($maxRetries ?? $this->retries->max, $maxRetryAfter ?? $this->retries->maxRetryAfter);
        $extras = $this->extras->with($headers, $query, $body);

        return new self($this->apiKey, $timeout ?? $this->timeout, $retries, $this->transport, $this->sleep, $extras, $this->observers);
    }

    /**
     * Sends a request, and retries temporary failures.
     *
     * @param string|null           $body        the bytes; JSON, unless the headers name another type
     * @param array<string, string> $headers     override the library's
     * @param float                 $waitSeconds the time that the service may wait before it responds; added to the timeout
     * @param string|null           $operation   the operationId
     */
    public function perform(
        string $method,
        string $url,
        ?string $body = null,
        array $headers = [],
        float $waitSeconds = 0,
        ?Retries $retries = null,
        ?Download $download = null,
        ?string $operation = null,
    ): Response {
        $isPlain = $method === 'GET' && $body === null && $headers === [];
        $all = $isPlain ? $this->extras->plain : $this->extras->headers($method, $body !== null, $headers);
        $timeout = max($this->timeout + $waitSeconds, $download === null ? 0 : $download::QUIET_SECONDS);
        $request = new Request($method, $url, $all, $body, $timeout, $this->apiKey, $download, $operation);

        try {
            return $this->attempt($request, 1);
        } catch (APIStatusException | APIConnectionException $error) {
            $first = $error; // Most calls succeed and never get here, so they do not pay for the closures.
        }

        return $this->retry(
            fn (int $number): Response => $number === 1 ? throw $first : $this->attempt($request, $number),
            $retries ?? $this->retries,
            static fn (): int => $download?->reached() ?? 0,
        );
    }

    /**
     * @template T
     * @param \Closure(int): T $attempt gets its number, from 1
     * @param \Closure(): int  $reached returns the progress so far; an attempt with progress resets the count of retries
     * @return T
     */
    public function retry(\Closure $attempt, Retries $retries, \Closure $reached): mixed
    {
        for ($retry = $furthest = 0;; ++$retry) {
            try {
                return $attempt($retry + 1);
            } catch (APIStatusException | APIConnectionException $error) {
                $retry = $reached() > $furthest ? 0 : $retry;
                $furthest = max($furthest, $reached());
                // An exception that a hook threw is not retried.
                $wait = ($error === $this->observers->thrown ? null : $retries->waitAfter($error, $retry)) ?? throw $error;
                ($this->observers->log)('info', 'Trying again in {seconds} s', ['seconds' => round($wait, 3), 'retry' => $retry + 1]);
                ($this->sleep)($wait);
            }
        }
    }

    /** Fetches a signed link once, without the key, and follows its redirects to the storage. */
    public function fetch(string $link, Download $download, int $attempt): Response
    {
        $headers = ['Accept-Encoding' => 'identity', 'User-Agent' => $this->extras->userAgent];
        $url = BaseUrl::link($link) ?? throw new InvalidArgumentException('The link of the file is not an https address.');
        for ($left = self::MAX_REDIRECTS;; --$left) {
            $request = new Request('GET', $url, $headers, null, $this->timeout, null, $download);
            $response = $this->attempt($request, $attempt);
            if ($response->status < 300) {
                return $response;
            }
            $url = $left === 0 ? null : BaseUrl::link($response->header('location') ?? '', $url);
            $url ?? throw Errors::unlike($response, 'The link of a file redirects too often, or not to an https address');
        }
    }

    private function attempt(Request $request, int $attempt): Response
    {
        try {
            $response = $this->observers->areAbsent
                ? $this->transport->send($request)
                : $this->observers->watch($request, $attempt, $this->transport);
        } catch (APIConnectionException $error) {
            $error->idempotencyKey = $request->idempotencyKey();
            throw $error;
        }
        if ($request->method !== 'GET') {
            $response->idempotencyKey = $request->idempotencyKey();
        }

        $isTaken = $response->status === 200 || $request->takes($response->status); // Most responses have 200, and need no function call.

        return $isTaken ? $response : throw Errors::of($response, $this->apiKey);
    }
}
