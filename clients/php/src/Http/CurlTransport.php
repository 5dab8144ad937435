<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APITimeoutException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Response;
use BeatMarket\Secret;

/** A transport over ext-curl with one keep-alive connection, and one more for each download. */
final class CurlTransport implements Transport
{
    private const MAX_BODY_BYTES = 64 * 1024 * 1024;

    // CURLE_SSL_PEER_CERTIFICATE (which was 51 and 60), CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS
    private const CERTIFICATE_ERRORS = [51, 60, 83, 91];
    // CURLE_SSL_CACERT_BADFILE, CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL
    private const FINAL_ERRORS = [...self::CERTIFICATE_ERRORS, 77, 3, 1];

    private int $processId = 0;
    private \CurlHandle $handle;

    // The settings that the handle has now.
    private bool $isPlainGet;
    private float $timeoutSeconds;
    private ?Secret $apiKey;

    /** @var array<string, string> */
    private array $headers;

    /** @var list<\CurlHandle> inherited by a fork; to free them would send a TLS close on the parent's connection */
    private static array $inherited = [];

    /** @param string|null $caFile PEM file of the certificate authorities to trust instead of the system's */
    public function __construct(private readonly ?string $caFile = null)
    {
        if ($caFile === null) {
            return;
        }
        $text = is_file($caFile) ? @file_get_contents($caFile) : false;
        if ($text === false) {
            throw new InvalidArgumentException("The CA file {$caFile} cannot be read.");
        }
        if (preg_match('/-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/', $text) !== 1) {
            throw new InvalidArgumentException("The CA file {$caFile} has no certificate in PEM form.");
        }
    }

    public function send(Request $request): Response
    {
        if ($request->download !== null) {
            return $this->download($request, $request->download);
        }
        if ($this->processId !== getmypid()) {
            $this->open();
        }
        $handle = $this->handle;
        // The handle keeps the options of the previous request: only what differs is set.
        $isPlainGet = $request->method === 'GET' && $request->body === null;
        if (!$isPlainGet || !$this->isPlainGet) {
            curl_setopt_array($handle, [
                CURLOPT_HTTPGET => true, // Without a body, until one is set.
                CURLOPT_NOBODY => $request->method === 'HEAD',
                CURLOPT_CUSTOMREQUEST => $request->method,
            ] + ($request->body === null ? [] : [CURLOPT_POSTFIELDS => $request->body]));
            $this->isPlainGet = $isPlainGet;
        }
        curl_setopt($handle, CURLOPT_URL, $request->url);
        if ($request->plainHeaders !== $this->headers || $request->apiKey !== $this->apiKey) {
            curl_setopt($handle, CURLOPT_HTTPHEADER, self::lines($request->headers()));
            $this->headers = $request->plainHeaders;
            $this->apiKey = $request->apiKey;
        }
        if ($request->timeoutSeconds !== $this->timeoutSeconds) {
            curl_setopt($handle, CURLOPT_TIMEOUT_MS, max(1, (int) round($request->timeoutSeconds * 1000)));
            $this->timeoutSeconds = $request->timeoutSeconds;
        }
        $text = curl_exec($handle);
        if (!is_string($text)) {
            throw self::failure($handle, $request);
        }
        $headBytes = curl_getinfo($handle, CURLINFO_HEADER_SIZE);

        return new Response(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), substr($text, 0, $headBytes), substr($text, $headBytes));
    }

    /**
     * Uses a separate handle, because the reader may make other calls before it reads on. Yields between the steps of the transfer,
     * because PHP cannot end a transfer from a callback when the reader throws or is destroyed.
     */
    private function download(Request $request, Download $download): Response
    {
        $head = $arrived = $body = '';
        $isTaken = null;
        $seconds = max(1, (int) ceil($request->timeoutSeconds));
        $handle = $this->newHandle([
            CURLOPT_URL => $request->url,
            CURLOPT_HTTPHEADER => self::lines($request->headers()),
            CURLOPT_CONNECTTIMEOUT => $seconds,
            CURLOPT_LOW_SPEED_TIME => $seconds,
            CURLOPT_LOW_SPEED_LIMIT => 1, // Bytes per second: a transfer that is slower for $seconds times out.
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $handle, string $line) use (&$head): int {
                $head .= $line;

                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => static function (\CurlHandle $handle, string $bytes) use (&$arrived): int {
                $arrived .= $bytes;

                return strlen($bytes);
            },
        ]);
        $transfer = curl_multi_init();
        curl_multi_add_handle($transfer, $handle);
        try {
            do {
                curl_multi_exec($transfer, $isRunning);
                [$bytes, $arrived] = [$arrived, ''];
                if ($bytes !== '') {
                    $isTaken ??= $download->begin(new Response(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $head, ''));
                    $isTaken ? $download->write($bytes) : $body .= $bytes;
                }
                if (strlen($body) > self::MAX_BODY_BYTES) {
                    throw new APIConnectionException('The response is too long.');
                }
                if ($isRunning && curl_multi_select($transfer) === -1) {
                    usleep(1000);
                }
            } while ($isRunning);
            if ((curl_multi_info_read($transfer)['result'] ?? CURLE_OK) !== CURLE_OK) {
                throw self::failure($handle, $request);
            }
        } finally {
            curl_multi_remove_handle($transfer, $handle);
        }

        return new Response(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $head, $body);
    }

    /** Creates the handle. After a fork, replaces the handle of the parent process. */
    private function open(): void
    {
        if (isset($this->handle)) {
            self::$inherited[] = $this->handle;
        }
        $this->processId = (int) getmypid();
        [$this->isPlainGet, $this->timeoutSeconds, $this->headers, $this->apiKey] = [false, 0, [], null];

        $this->handle = $this->newHandle([
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HEADER => true, // Headers stand before the body: a callback for each line would cost more than splitting the text.
            CURLOPT_NOPROGRESS => false,
            CURLOPT_PROGRESSFUNCTION => static fn (\CurlHandle $handle, int $total, int $bytes): int => (int) ($bytes > self::MAX_BODY_BYTES),
        ]);
        // When a kept connection breaks, curl itself repeats the request, which bypasses the retry limit. Of all options, only this one
        // prevents that; over HTTP it does nothing else. A curl without RTSP does not know it, and keeps no connection.
        curl_setopt($this->handle, CURLOPT_RTSP_REQUEST, CURL_RTSPREQ_RECEIVE) || curl_setopt($this->handle, CURLOPT_FORBID_REUSE, true);
    }

    /** @param array<int, mixed> $options */
    private function newHandle(array $options): \CurlHandle
    {
        $handle = curl_init();
        curl_setopt_array($handle, $options + [
            // A connection has one request at a time, for which the frames and the header compression of HTTP/2 only cost CPU time.
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_TCP_KEEPALIVE => true,
            CURLOPT_ENCODING => '',
            CURLOPT_SSL_VERIFYPEER => true,
            CURLOPT_SSL_VERIFYHOST => 2,
        ] + ($this->caFile === null ? [] : [CURLOPT_CAINFO => $this->caFile]));

        return $handle;
    }

    private static function failure(\CurlHandle $handle, Request $request): APIConnectionException
    {
        $number = curl_errno($handle);
        $why = $number === CURLE_ABORTED_BY_CALLBACK ? 'The response is too long' : curl_error($handle);
        $cause = new \RuntimeException($why, $number);
        if ($number === CURLE_OPERATION_TIMEDOUT) {
            return new APITimeoutException("No complete response within {$request->timeoutSeconds} seconds.", $cause);
        }

        return new APIConnectionException(
            in_array($number, self::CERTIFICATE_ERRORS, true)
                ? "The certificate of the service is not valid here: {$why}. Pass caFile to trust an authority of your own."
                : "The service could not be reached: {$why}.",
            $cause,
            isRetryable: !in_array($number, self::FINAL_ERRORS, true),
        );
    }

    /**
     * @param array<string, string> $headers
     * @return list<string>
     */
    private static function lines(array $headers): array
    {
        $line = static fn (string $name, string $value): string => "{$name}: {$value}";

        // Without an empty Expect header, curl sends "Expect: 100-continue" before a large body and waits up to a second.
        return ['Expect:', ...array_map($line, array_keys($headers), $headers)];
    }
}
