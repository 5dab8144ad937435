<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** No complete response within the timeout of one attempt; or an upload that is not ready in time. */
final class APITimeoutException extends APIConnectionException
{
}
