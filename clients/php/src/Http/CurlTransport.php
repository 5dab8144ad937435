<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APITimeoutException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Response;

/** A transport over ext-curl with one keep-alive connection. */
final class CurlTransport implements Transport
{
    private const MAX_BODY_BYTES = 64 * 1024 * 1024;

    /** CURLE_SSL_CACERT, CURLE_SSL_CACERT_BADFILE, CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL */
    private const FINAL_ERRORS = [60, 77, 3, 1];

    private ?\CurlHandle $handle = null;
    private int $processId = 0;

    /** The part of the response that the handle's callbacks have received. */
    private Gathered $gathered;

    /** Whether the handle is configured for a GET without a body. */
    private bool $isPlainGet = false;

    /**
     * Handles inherited by a fork. They are never freed: that would send a TLS close on the parent's connection.
     *
     * @var list<\CurlHandle>
     */
    private static array $inherited = [];

    /**
     * @param string|null $caFile PEM file of the certificate authorities to trust instead of the system's
     *
     * @throws InvalidArgumentException when the file cannot be read
     */
    public function __construct(private readonly ?string $caFile = null)
    {
        if ($caFile !== null && !(is_file($caFile) && is_readable($caFile))) {
            throw new InvalidArgumentException("The CA file {$caFile} cannot be read.");
        }
    }

    public function send(Request $request): Response
    {
        $handle = $this->handle();
        $gathered = $this->gathered;
        $gathered->wasSent = false;
        $gathered->download = $request->download;
        $gathered->isDownloaded = null;
        if ($request->method !== 'GET' || !$this->isPlainGet) {
            // The handle keeps the options of the previous request: reset to GET without a body first.
            curl_setopt_array($handle, [
                CURLOPT_HTTPGET => true,
                CURLOPT_NOBODY => $request->method === 'HEAD',
                CURLOPT_CUSTOMREQUEST => $request->method,
            ]);
        }
        $this->isPlainGet = $request->method === 'GET' && $request->body === null;
        curl_setopt_array($handle, [
            CURLOPT_URL => $request->url,
            CURLOPT_HTTPHEADER => self::lines($request->headers()),
            CURLOPT_TIMEOUT_MS => $request->download === null ? max(1, (int) round($request->timeoutSeconds * 1000)) : 0,
            CURLOPT_LOW_SPEED_LIMIT => $request->download === null ? 0 : 1, // Bytes per second, for so long:
            CURLOPT_LOW_SPEED_TIME => $request->download === null ? 0 : max(1, (int) ceil($request->timeoutSeconds)),
        ]);
        if ($request->body !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $request->body);
        }
        $isComplete = curl_exec($handle);
        [$headers, $body] = [$gathered->headers, $gathered->body];
        $gathered->headers = [];
        $gathered->body = '';
        if ($isComplete === false) {
            throw $this->failure($handle, $request);
        }

        return new Response(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $headers, $body);
    }

    private function handle(): \CurlHandle
    {
        $processId = (int) getmypid();
        if ($this->handle !== null && $this->processId === $processId) {
            return $this->handle;
        }
        if ($this->handle !== null) {
            self::$inherited[] = $this->handle;
        }
        $this->processId = $processId;
        $this->isPlainGet = false;
        $this->gathered = $gathered = new Gathered();
        $this->handle = curl_init();
        curl_setopt_array($this->handle, [
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_NOPROGRESS => false,
            CURLOPT_TCP_KEEPALIVE => true,
            CURLOPT_ENCODING => '',
            CURLOPT_SSL_VERIFYPEER => true,
            CURLOPT_SSL_VERIFYHOST => 2,
            // The callbacks capture $gathered only: capturing $this would create a reference cycle with the handle.
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $handle, string $line) use ($gathered): int {
                $nameLength = strcspn($line, ": \t\r\n");
                if (str_starts_with($line, 'HTTP/')) {
                    $gathered->headers = []; // Discards the headers of an interim response such as 103.
                } elseif ($nameLength > 0 && $line[$nameLength] === ':') {
                    $name = strtolower(substr($line, 0, $nameLength));
                    $value = trim(substr($line, $nameLength + 1), " \t\r\n");
                    $gathered->headers[$name] = isset($gathered->headers[$name]) ? "{$gathered->headers[$name]}, {$value}" : $value;
                }

                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => static function (\CurlHandle $handle, string $bytes) use ($gathered): int {
                if ($gathered->download !== null) {
                    $gathered->isDownloaded ??= $gathered->download->begin(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $gathered->headers);
                    if ($gathered->isDownloaded) {
                        return $gathered->download->write($bytes);
                    }
                }
                $gathered->body .= $bytes;

                return strlen($gathered->body) > self::MAX_BODY_BYTES ? 0 : strlen($bytes);
            },
            // When a reused connection breaks, curl itself repeats the request, which bypasses the retry limit: abort if it opens
            // a new connection for a request that was already sent. It never does so once a response has begun.
            CURLOPT_PROGRESSFUNCTION => static function (\CurlHandle $handle, int $total, int $received) use ($gathered): int {
                if ($received > 0) {
                    return 0;
                }
                $isKept = curl_getinfo($handle, CURLINFO_NUM_CONNECTS) === 0;
                if ($gathered->wasSent) {
                    return (int) !$isKept;
                }
                $gathered->wasSent = $isKept && curl_getinfo($handle, CURLINFO_REQUEST_SIZE) > 0;

                return 0;
            },
        ]);
        if ($this->caFile !== null) {
            curl_setopt($this->handle, CURLOPT_CAINFO, $this->caFile);
        }

        return $this->handle;
    }

    private function failure(\CurlHandle $handle, Request $request): APIConnectionException
    {
        $number = curl_errno($handle);
        $isCut = $number === CURLE_ABORTED_BY_CALLBACK;
        $cause = new \RuntimeException($isCut ? 'The connection was closed before a response' : curl_error($handle), $number);
        if ($number === CURLE_OPERATION_TIMEDOUT) {
            return new APITimeoutException("No complete response within {$request->timeoutSeconds} seconds.", $cause);
        }
        $advice = $number === 60 ? ' Pass caFile to trust an authority of your own.' : '';

        return new APIConnectionException(
            "The service could not be reached: {$cause->getMessage()}.{$advice}",
            $cause,
            isRetryable: !in_array($number, self::FINAL_ERRORS, true),
        );
    }

    /**
     * @param array<string, string> $headers
     *
     * @return list<string>
     */
    private static function lines(array $headers): array
    {
        $lines = ['Expect:']; // Without this, curl sends "Expect: 100-continue" before a large body and waits up to a second.
        foreach ($headers as $name => $value) {
            $lines[] = "{$name}: {$value}";
        }

        return $lines;
    }
}
