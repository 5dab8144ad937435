<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Generated\Operation;
use BeatMarket\Response;
use BeatMarket\Secret;

/**
 * Sends requests: retries, and turns error responses into exceptions.
 *
 * @internal
 */
final class Sender
{
    /** Of a link; those of the API are not followed. */
    private const REDIRECTS = [301, 302, 303, 307, 308];
    private const MAX_REDIRECTS = 5;

    /**
     * @param float                 $timeout seconds per attempt
     * @param \Closure(float): void $sleep   waits that many seconds
     */
    public function __construct(
        public readonly Secret $apiKey,
        public readonly float $timeout,
        public readonly Retries $retries,
        private readonly Transport $transport,
        private readonly \Closure $sleep,
        public readonly Extras $extras,
        private readonly Observers $observers,
    ) {
        if (!($timeout > 0 && is_finite($timeout))) {
            throw new InvalidArgumentException('timeout must be more than 0 seconds.');
        }
    }

    /** A copy with other settings, over the same transport. */
    public function with(float $timeout, Retries $retries, Extras $extras): self
    {
        return new self($this->apiKey, $timeout, $retries, $this->transport, $this->sleep, $extras, $this->observers);
    }

    /**
     * Sends a request, and retries temporary failures.
     *
     * @param string                $url         of BaseUrl
     * @param string|null           $body        the bytes; JSON, unless the headers say what
     * @param array<string, string> $headers     override the library's
     * @param float                 $waitSeconds how long the service may wait before it responds; extends the timeout
     * @param Retries|null          $retries     null for the client's
     * @param Download|null         $download    takes the body of the response
     * @param Operation|null        $operation   null for any other request
     */
    public function perform(
        string $method,
        string $url,
        ?string $body = null,
        array $headers = [],
        float $waitSeconds = 0,
        ?Retries $retries = null,
        ?Download $download = null,
        ?Operation $operation = null,
    ): Response {
        $all = $this->extras->headers($method, $body !== null, $headers);
        $request = new Request($method, $url, $all, $body, $this->timeout + $waitSeconds, $this->apiKey, $download, $operation?->id());

        return $this->retry(
            fn (int $number): Response => $this->attempt($request, $number),
            $retries ?? $this->retries,
            static fn (): bool => $download?->hasAdvanced() === true,
        );
    }

    /**
     * Tries until it succeeds, or fails for good.
     *
     * @template T
     *
     * @param \Closure(int): T  $attempt     gets its number, from 1
     * @param \Closure(): bool $hasAdvanced whether the attempt got further than those before: they are counted again then
     *
     * @return T
     */
    public function retry(\Closure $attempt, Retries $retries, \Closure $hasAdvanced): mixed
    {
        for ($retry = 0;; ++$retry) {
            try {
                return $attempt($retry + 1);
            } catch (APIStatusException | APIConnectionException $error) {
                $retry = $hasAdvanced() ? 0 : $retry;
                $this->waitAfter($error, $retry, $retries);
            }
        }
    }

    /** Waits until the next attempt, or throws the error if there is to be none. */
    private function waitAfter(APIStatusException|APIConnectionException $error, int $retry, Retries $retries): void
    {
        $wait = ($error === $this->observers->thrown ? null : $retries->waitAfter($error, $retry)) ?? throw $error;
        $this->observers->log('info', 'Trying again in {seconds} s', ['seconds' => round($wait, 3), 'retry' => $retry + 1]);
        $this->pause($wait);
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
    public function fetch(string $link, Download $download, int $attempt): Response
    {
        $headers = ['Accept-Encoding' => 'identity', 'User-Agent' => $this->extras->userAgent];
        $url = BaseUrl::link($link) ?? throw new InvalidArgumentException('The link of the file is no https address.');
        for ($redirects = 0;; ++$redirects) {
            $request = new Request('GET', $url, $headers, null, $this->timeout, null, $download);
            $response = $this->attempt($request, $attempt, self::REDIRECTS);
            if (!in_array($response->status, self::REDIRECTS, true)) {
                return $response;
            }
            $url = $redirects === self::MAX_REDIRECTS ? null : BaseUrl::redirect($url, $response->header('location') ?? '');
            if ($url === null) {
                $message = 'The link of a file redirects too often, or to what is no https address';
                throw APIStatusException::unlike($response, $message);
            }
        }
    }

    /** @param list<int> $taken statuses that are no errors, in addition to 2xx */
    private function attempt(Request $request, int $attempt, array $taken = []): Response
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
        $status = $response->status;

        return ($status >= 200 && $status < 300) || in_array($status, $taken, true)
            ? $response
            : throw APIStatusException::of($response, $this->apiKey);
    }
}
