<?php

declare(strict_types=1);

namespace BeatMarket\Exception;

/** No complete response within the timeout of one attempt. */
final class APITimeoutException extends APIConnectionException
{
}
