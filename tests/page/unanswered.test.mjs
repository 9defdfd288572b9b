// Chunks that a server refuses or fails to send.

import { describeUnanswered } from "./unanswered.mjs";

describeUnanswered([
  [503, "the server answered 503 Service Unavailable"],
  [403, "the server answered 403 Forbidden"],
]);
