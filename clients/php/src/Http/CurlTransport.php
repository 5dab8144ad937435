<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APITimeoutException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Response;

/** Sends through ext-curl, over one connection that is kept open between requests. */
final class CurlTransport implements Transport
{
    private const MAX_BODY_BYTES = 64 * 1024 * 1024;

    /** CURLE_SSL_CACERT, CURLE_SSL_CACERT_BADFILE, CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL */
    private const FINAL_ERRORS = [60, 77, 3, 1];

    private ?\CurlHandle $handle = null;
    private int $processId = 0;

    /** Whether the handle is set to a GET without a body. */
    private bool $isPlainGet = false;

    /**
     * Handles that a fork inherited. Freed, they would say goodbye on a connection that is the parent's.
     *
     * @var list<\CurlHandle>
     */
    private static array $inherited = [];

    /**
     * @param string|null $caFile PEM file of the authorities to trust, instead of the system's
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
        $head = '';
        $body = '';
        $wasSent = false;
        if ($request->method !== 'GET' || !$this->isPlainGet) {
            // Back to GET without a body first: the handle remembers the request before.
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
            CURLOPT_TIMEOUT_MS => max(1, (int) round($request->timeoutSeconds * 1000)),
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $handle, string $line) use (&$head): int {
                $head .= $line;

                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => static function (\CurlHandle $handle, string $bytes) use (&$body): int {
                $body .= $bytes;

                return strlen($body) > self::MAX_BODY_BYTES ? 0 : strlen($bytes);
            },
            // When a kept connection breaks, curl would send the request again by itself, unseen by those who count tries:
            // a new connection for a request that was sent before is one too many.
            CURLOPT_PROGRESSFUNCTION => static function (\CurlHandle $handle) use (&$wasSent): int {
                $isKept = curl_getinfo($handle, CURLINFO_NUM_CONNECTS) === 0;
                $isOneTooMany = $wasSent && !$isKept;
                $wasSent = $wasSent || ($isKept && curl_getinfo($handle, CURLINFO_REQUEST_SIZE) > 0);

                return (int) $isOneTooMany;
            },
        ]);
        if ($request->body !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $request->body);
        }
        if (curl_exec($handle) === false) {
            throw $this->failure($handle, $request);
        }

        return new Response(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), self::headersOf($head), $body);
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
        $cause = new \RuntimeException($isCut ? 'The connection was closed before an answer came' : curl_error($handle), $number);
        if ($number === CURLE_OPERATION_TIMEDOUT) {
            return new APITimeoutException("No complete answer within {$request->timeoutSeconds} seconds.", $cause);
        }
        $advice = $number === 60 ? ' Pass caFile to trust an authority of your own.' : '';

        return new APIConnectionException(
            "The service could not be reached: {$cause->getMessage()}.{$advice}",
            $cause,
            isRetryable: !in_array($number, self::FINAL_ERRORS, true),
        );
    }

    /** @return array<string, string> by lower-case name */
    private static function headersOf(string $head): array
    {
        // What an interim answer such as 103 had is over when the next status line comes.
        $last = strrpos($head, "\r\n\r\nHTTP/");
        preg_match_all('/^([^:\s]+):[ \t]*(.*?)[ \t]*\r?$/m', $last === false ? $head : substr($head, $last), $lines, PREG_SET_ORDER);
        $headers = [];
        foreach ($lines as [, $name, $value]) {
            $name = strtolower($name);
            $headers[$name] = isset($headers[$name]) ? "{$headers[$name]}, {$value}" : $value;
        }

        return $headers;
    }

    /**
     * @param array<string, string> $headers
     *
     * @return list<string>
     */
    private static function lines(array $headers): array
    {
        $lines = ['Expect:']; // curl would ask for leave before a large body, and wait a second for it.
        foreach ($headers as $name => $value) {
            $lines[] = "{$name}: {$value}";
        }

        return $lines;
    }
}
