<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\RequestInfo;
use BeatMarket\Response;
use BeatMarket\ResponseInfo;

/** @internal Reports attempts to the hooks and the logger of the caller, and by BEATMARKET_LOG to standard error. */
final class Observers
{
    private const SECRET_HEADERS = ['cookie', 'proxy-authorization', 'set-cookie'];

    private const SHOWN_OF_KEY = 4; // The last characters of the key. A short key is not shown at all.
    private const LEAST_OF_SHOWN_KEY = 16;

    public ?\Throwable $thrown = null; // The last exception of a hook. It ends the call without a retry.
    public readonly bool $areAbsent;

    /** @var \Closure(string, string, array<string, mixed>): mixed gets contexts without headers and bodies, because those contain secrets */
    public readonly \Closure $log;

    private readonly ?string $level;

    /** @var array<string, true> unknown levels that were reported */
    private static array $named = [];

    /**
     * @param \Closure(RequestInfo): mixed|null                         $onRequest
     * @param \Closure(ResponseInfo): mixed|null                        $onResponse
     * @param \Closure(string, string, array<string, mixed>): void|null $logger     with the parameters of LoggerInterface::log()
     */
    public function __construct(
        private readonly ?\Closure $onRequest,
        private readonly ?\Closure $onResponse,
        ?\Closure $logger,
        ?string $level,
    ) {
        $level = strtolower(trim((string) $level));
        $isKnown = in_array($level, ['', 'info', 'debug'], true);
        if (!$isKnown && !isset(self::$named[$level])) {
            self::$named[$level] = true;
            self::write(['BEATMARKET_LOG is ' . json_encode($level) . ', which is not known: it takes info or debug.']);
        }
        $this->log = $logger ?? static fn (): mixed => null;
        $this->level = $isKnown && $level !== '' ? $level : null;
        $this->areAbsent = $this->level === null && $onRequest === null && $onResponse === null && $logger === null;
    }

    /** Makes an attempt, and reports its start and its end. */
    public function watch(Request $request, int $attempt, Transport $transport): Response
    {
        $headers = array_change_key_case($request->headers());
        if ($request->apiKey !== null) {
            $key = $request->apiKey->reveal();
            $headers['authorization'] = 'Bearer bm_…' . (strlen($key) < self::LEAST_OF_SHOWN_KEY ? '' : substr($key, -self::SHOWN_OF_KEY));
        }
        $path = (string) parse_url($request->url, PHP_URL_PATH);
        $info = new RequestInfo($request->method, $path, $request->operation, $attempt, $headers);
        $this->tell($this->onRequest, $info);
        $start = hrtime(true);
        $response = $error = null;
        try {
            return $response = $transport->send($request);
        } catch (\Throwable $error) {
            throw $error;
        } finally { // Also if a streamed download is abandoned: PHP then destroys its fiber, suspended in send().
            $this->ended($info, $request, $response, $error, (hrtime(true) - $start) / 1e6);
        }
    }

    private function ended(RequestInfo $begun, Request $request, ?Response $response, ?\Throwable $error, float $durationMs): void
    {
        $context = ['method' => $request->method, 'url' => $request->shownUrl(), 'seconds' => round($durationMs / 1e3, 3)];
        if ($response !== null) {
            $context += ['status' => $response->status, 'request_id' => $response->requestId];
            ($this->log)('debug', '{method} {url}: {status}, {seconds} s', $context);
            $error = $request->takes($response->status) ? null : Errors::of($response, $request->apiKey);
        } elseif ($error instanceof APIConnectionException) {
            ($this->log)('warning', '{method} {url}: {error}, {seconds} s', $context + ['error' => $error->getMessage()]);
        }
        $head = $response ?? $request->download?->begun;
        $info = new ResponseInfo($begun, $head?->status, $durationMs, $head?->requestId, $error);
        if ($this->level !== null) {
            self::write($this->lines($info, $head));
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

    /** @return list<string> */
    private function lines(ResponseInfo $info, ?Response $response): array
    {
        // The log has the same names in all languages.
        $class = preg_replace(['/^.*\\\\/', '/Exception$/'], ['', 'Error'], $info->error === null ? '' : $info->error::class);
        $outcome = ($info->status ?? $class) . ' ' . round($info->durationMs) . ' ms ' . ($info->requestId ?? '-');
        $lines = ["{$info->method} {$info->path} {$outcome} attempt {$info->attempt}"];
        foreach ($this->level === 'debug' ? ['>' => $info->requestHeaders, '<' => $response->headers ?? []] : [] as $sign => $headers) {
            foreach ($headers as $name => $value) {
                $lines[] = "{$sign} {$name}: " . (in_array($name, self::SECRET_HEADERS, true) ? '…' : $value);
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
