<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\RequestInfo;
use BeatMarket\Response;
use BeatMarket\ResponseInfo;

/**
 * Reports attempts to the hooks and the logger of the caller, and by BEATMARKET_LOG to standard error.
 *
 * @internal
 */
final class Observers
{
    private const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization', 'set-cookie'];

    /** Of a key; a short one is not shown at all. */
    private const SHOWN_OF_KEY = 4;
    private const LEAST_OF_SHOWN_KEY = 16;

    /** What a hook threw last: it is the end of its call, which is not tried again. */
    public ?\Throwable $thrown = null;

    /** Whether no one is notified of attempts. */
    public readonly bool $areAbsent;

    private readonly ?string $level;

    /** @var array<string, true> unknown levels that were named */
    private static array $named = [];

    /**
     * @param \Closure(RequestInfo): mixed|null                         $onRequest
     * @param \Closure(ResponseInfo): mixed|null                        $onResponse
     * @param \Closure(string, string, array<string, mixed>): void|null $logger     with the parameters of LoggerInterface::log()
     * @param string|null                                               $level      of BEATMARKET_LOG
     */
    public function __construct(
        private readonly ?\Closure $onRequest,
        private readonly ?\Closure $onResponse,
        private readonly ?\Closure $logger,
        ?string $level,
    ) {
        $level = strtolower(trim((string) $level));
        $isKnown = in_array($level, ['', 'info', 'debug'], true);
        if (!$isKnown && !isset(self::$named[$level])) {
            self::$named[$level] = true;
            self::write(['BEATMARKET_LOG is ' . json_encode($level) . ', which is not known: it takes info or debug.']);
        }
        $this->level = $isKnown && $level !== '' ? $level : null;
        $this->areAbsent = $this->level === null && $onRequest === null && $onResponse === null && $logger === null;
    }

    /** Makes an attempt, and reports its begin and its end. */
    public function watch(Request $request, int $attempt, Transport $transport): Response
    {
        $info = self::infoOf($request, $attempt);
        $this->tell($this->onRequest, $info);
        $start = hrtime(true);
        $response = $error = null;
        try {
            return $response = $transport->send($request);
        } catch (\Throwable $error) {
            throw $error;
        } finally {
            $durationMs = (hrtime(true) - $start) / 1e6;
            if ($response !== null) {
                $outcome = ['status' => $response->status, 'request_id' => $response->requestId];
                $this->log('debug', '{method} {url}: {status}, {seconds} s', self::logged($request, $durationMs) + $outcome);
            } elseif ($error instanceof APIConnectionException) {
                $outcome = ['error' => $error->getMessage()];
                $this->log('warning', '{method} {url}: {error}, {seconds} s', self::logged($request, $durationMs) + $outcome);
            }
            $error ??= self::refusal($request, $response);
            $this->ended($info, $response ?? $request->download?->begun, $durationMs, $error);
        }
    }

    /**
     * Tells the logger.
     *
     * @param array<string, mixed> $context without headers and bodies, which contain the key and personal data
     */
    public function log(string $level, string $message, array $context): void
    {
        if ($this->logger !== null) {
            ($this->logger)($level, $message, $context);
        }
    }

    /** @return array<string, mixed> */
    private static function logged(Request $request, float $durationMs): array
    {
        return ['method' => $request->method, 'url' => $request->shownUrl(), 'seconds' => round($durationMs / 1e3, 3)];
    }

    /** Why a response is an error. A link leads on with a redirect. */
    private static function refusal(Request $request, ?Response $response): ?APIStatusException
    {
        $status = $response->status ?? 200;
        $isTaken = ($status >= 200 && $status < 300) || ($request->apiKey === null && $status < 400);

        return $response === null || $isTaken ? null : APIStatusException::of($response, $request->apiKey);
    }

    private function ended(RequestInfo $request, ?Response $response, float $durationMs, ?\Throwable $error): void
    {
        $info = new ResponseInfo($request, $response?->status, $durationMs, $response?->requestId, $error);
        if ($this->level !== null) {
            self::write($this->lines($info, $response));
        }
        $this->tell($this->onResponse, $info);
    }

    private function tell(?\Closure $hook, RequestInfo $info): void
    {
        try {
            $hook === null || $hook($info);
        } catch (\Throwable $error) {
            throw $this->thrown = $error;
        }
    }

    private static function infoOf(Request $request, int $attempt): RequestInfo
    {
        $headers = array_change_key_case($request->headers());
        if ($request->apiKey !== null) {
            $key = $request->apiKey->reveal();
            $headers['authorization'] = 'Bearer bm_…' . (strlen($key) < self::LEAST_OF_SHOWN_KEY ? '' : substr($key, -self::SHOWN_OF_KEY));
        }
        $path = (string) parse_url($request->url, PHP_URL_PATH);

        return new RequestInfo($request->method, $path, $request->operation, $attempt, $headers);
    }

    /** @return list<string> */
    private function lines(ResponseInfo $info, ?Response $response): array
    {
        // The log has the same names in all languages.
        $class = preg_replace(['/^.*\\\\/', '/Exception$/'], ['', 'Error'], $info->error === null ? '' : $info->error::class);
        $lines = [sprintf(
            '%s %s %s %d ms %s attempt %d',
            $info->method,
            $info->path,
            $info->status ?? $class,
            round($info->durationMs),
            $info->requestId ?? '-',
            $info->attempt,
        )];
        foreach ($this->level === 'debug' ? ['>' => $info->requestHeaders, '<' => $response->headers ?? []] : [] as $sign => $headers) {
            foreach ($headers as $name => $value) {
                $isSecret = in_array($name, self::SECRET_HEADERS, true) && !str_starts_with($value, 'Bearer bm_…');
                $lines[] = "{$sign} {$name}: " . ($isSecret ? '…' : $value);
            }
        }

        return $lines;
    }

    /** @param list<string> $lines */
    private static function write(array $lines): void
    {
        file_put_contents('php://stderr', implode('', array_map(static fn (string $line): string => "beatmarket {$line}\n", $lines)));
    }
}
