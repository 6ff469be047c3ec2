"""A small client of the sync protocol, version 6, with the program interface of "Test your client".

Commands arrive on stdin, one JSON object per line; each is answered by one line on stdout.
All state is in one SQLite file in the folder that `open` names.
"""
from __future__ import annotations

import base64
import hashlib
import http.client
import json
import os
import re
import sqlite3
import sys
import time
import traceback
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

PROTOCOL = 6
COLLECTIONS = frozenset(
    "guides wikis stepForms workLog comments people media viewer training deviations plannedOrders "
    "workVersions releases releaseTexts shiftSummaries".split())
SILENCE = 3.0  # seconds without a byte until a response counts as lost
LONGEST = 15.0  # seconds until even a dripping response is given up (what arrived is kept)
MAX_CALLS, MAX_BYTES, MAX_CHAIN = 200, 4 * 2**20 - 1024, 150
MAX_LINE = 64 * 2**20
KEEP_MS = 90 * 86_400_000  # confirmed calls are kept that long, for restored servers
LATER = (408, 425, 429)  # with 5xx: the statuses that ask to try again later

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
-- doc is NULL for a removed record: its seq must be remembered. `load` tells in which load the row arrived.
CREATE TABLE IF NOT EXISTS records (c TEXT, id TEXT, seq INTEGER NOT NULL, load INTEGER NOT NULL, doc TEXT,
  PRIMARY KEY (c, id)) WITHOUT ROWID;
-- state: waiting, conflict, refused, done. n is the order in which the calls were made.
CREATE TABLE IF NOT EXISTS calls (n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, lane TEXT NOT NULL,
  call TEXT NOT NULL, state TEXT NOT NULL, made REAL NOT NULL, done INTEGER, revision TEXT, answer TEXT);
CREATE INDEX IF NOT EXISTS calls_lane ON calls (lane, n);
CREATE INDEX IF NOT EXISTS calls_state ON calls (state, n);
"""


class Stop(Exception):
    """Ends this try; `why` is what `sync` answers."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(f"{why}: {detail}")
        self.why = why


class UnknownPlace(Exception):
    """The server lost the place that a request named: it was restored from a backup."""


# ---------------------------------------------------------------- Ed25519 (RFC 8032), verification only

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
ORDER = 2**252 + 27742317777372353535851937790883648493
Point = tuple[int, int]


def _add(a: Point, b: Point) -> Point:
    """Adds two points of the curve, in affine coordinates (slow, but used once for an address)."""
    t = D * a[0] * b[0] * a[1] * b[1] % P
    return ((a[0] * b[1] + b[0] * a[1]) * pow(1 + t, -1, P) % P,
            (a[1] * b[1] + a[0] * b[0]) * pow(1 - t, -1, P) % P)


def _times(n: int, a: Point) -> Point:
    """Returns the point `a` added to itself `n` times."""
    total: Point = (0, 1)
    while n:
        if n & 1:
            total = _add(total, a)
        a, n = _add(a, a), n >> 1
    return total


def _point(data: bytes) -> Point | None:
    """Decodes 32 bytes to a point, or returns None if they are none."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    return (P - x if x & 1 != sign else x, y)


def ed25519_verifies(key: bytes, message: bytes, signature: bytes) -> bool:
    """Tells whether `signature` (64 bytes) over `message` was made with the secret of the public `key`."""
    if len(key) != 32 or len(signature) != 64:
        return False
    base = _point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    a, r, s = _point(key), _point(signature[:32]), int.from_bytes(signature[32:], "little")
    if base is None or a is None or r is None or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return _times(s, base) == _add(r, _times(h, a))


# ---------------------------------------------------------------- small helpers

def dumps(value: Any) -> str:
    """Compact JSON. It is ASCII only, so that even a lone surrogate of a text survives SQLite and the wire."""
    return json.dumps(value, separators=(",", ":"))


def parse_object(data: bytes) -> dict[str, Any] | None:
    """Parses one JSON object; None for anything else, such as half a line or the HTML of a captive portal."""
    try:
        value = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def place_seq(checkpoint: Any) -> int | None:
    """The seq of a checkpoint (the digits before its first dot), or None if it is no checkpoint."""
    match = re.match(r"([0-9]{1,18})\.", checkpoint) if isinstance(checkpoint, str) else None
    return int(match[1]) if match else None


def is_seq(value: Any) -> bool:
    """Tells whether a value of a message can be a seq."""
    return type(value) is int and 0 <= value < 2**63


def is_row(line: dict[str, Any]) -> bool:
    """Tells whether a line is a row (and not a tail, or something that a later server added)."""
    return isinstance(line.get("c"), str) and isinstance(line.get("id"), str) and is_seq(line.get("seq"))


def unbase64(text: Any) -> bytes:
    """Decodes base64url without padding; nothing for what is no such text."""
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (TypeError, ValueError):
        return b""


def uuid7() -> str:
    """A new UUID of version 7."""
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10), "big")
    return str(uuid.UUID(int=value & ~(0xF << 76 | 0x3 << 62) | 7 << 76 | 2 << 62))


class Response:
    """One HTTP exchange. Raises Stop("network") without a response; a body that is cut just ends."""

    def __init__(self, url: str, method: str, target: str, headers: dict[str, str], body: bytes | None) -> None:
        parts = urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._ends = time.monotonic() + LONGEST
        self._connection = kind(parts.hostname or "", parts.port, timeout=SILENCE)
        try:
            self._connection.request(method, parts.path.rstrip("/") + target, body, headers)
            self._response = self._connection.getresponse()
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._connection.close()
            raise Stop("network", repr(error)) from error
        self.status = self._response.status
        self.retry_after = self._response.headers.get("Retry-After")

    def lines(self) -> Iterator[bytes]:
        """The lines of the body as they arrive, the last one perhaps incomplete."""
        rest = b""
        try:
            while len(rest) < MAX_LINE and time.monotonic() < self._ends:
                piece = self._response.read1(65536)
                if not piece:
                    break
                *whole, rest = (rest + piece).split(b"\n")
                yield from whole
        except (OSError, http.client.HTTPException, ValueError) as error:
            print(f"cut: {error!r}", file=sys.stderr)
        finally:
            self._connection.close()
        if rest:
            yield rest


# ---------------------------------------------------------------- the client

class Client:
    """The copy and the queue of one person of one server, in one folder."""

    def __init__(self, folder: str, url: str, token: str, server: str) -> None:
        """Opens the state in `folder`, or makes it. The file is named after the server: copies never mix."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        self.url, self.token, self.server, self.now = url.rstrip("/"), token, server, 0
        file = Path(folder, re.sub(r"[^A-Za-z0-9]", "_", server) + ".sqlite")
        self.db = sqlite3.connect(file, isolation_level=None, timeout=10)
        self.db.execute("PRAGMA journal_mode=WAL")
        self.db.execute("PRAGMA synchronous=FULL")  # a commit has reached the disk when it returns
        self.db.executescript(SCHEMA)
        if self.get("proved") is None:  # the first address is the one where the person signed in
            self.set("proved", self.url)
        for path in (folder, os.path.dirname(os.path.abspath(folder))):  # the new names must last, too
            handle = os.open(path, os.O_RDONLY)
            os.fsync(handle)
            os.close(handle)

    # ---- storage

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Runs its block in one durable transaction, or not at all."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    def get(self, name: str) -> str | None:
        """A stored setting, or None."""
        row = self.db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def set(self, name: str, value: str | int | float | None) -> None:
        """Stores a setting; None forgets it."""
        if value is None:
            self.db.execute("DELETE FROM meta WHERE name = ?", (name,))
        else:
            self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, str(value)))

    def note_seen(self, checkpoint: Any) -> None:
        """Remembers the checkpoint with the highest seq, for `seen`."""
        seq = place_seq(checkpoint)
        if seq is not None and seq >= (place_seq(self.get("seen")) or 0):
            self.set("seen", checkpoint)

    def apply(self, row: dict[str, Any]) -> None:
        """Applies a row to the copy, if it is not older than what is there. Call it in a transaction."""
        if isinstance(key := row.get("key"), str):  # our call took effect, even if its response was lost
            self.db.execute("UPDATE calls SET state = 'done', done = ? WHERE id = ? AND state = 'waiting'",
                            (self.now, key))
        doc, removed = row.get("doc"), row.get("removed") is True
        if row["c"] not in COLLECTIONS or not (removed or isinstance(doc, dict)):
            return
        # A row of an earlier load always gives way: a restored server can count lower than before.
        self.db.execute(
            "INSERT INTO records VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq,"
            " load = excluded.load, doc = excluded.doc WHERE excluded.load > load OR excluded.seq >= seq",
            (row["c"], row["id"], row["seq"], int(self.get("load") or 0), None if removed else dumps(doc)))

    # ---- requests

    def ask(self, method: str, name: str, params: dict[str, Any], body: Any = None
            ) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
        """Sends one request. Returns the head, which is trusted, and the lines after it until a cut.

        Raises Stop or UnknownPlace for a refusal, and Stop("network") for what is not of this server.
        """
        request = uuid.uuid4().hex
        query = {"protocol": PROTOCOL, "server": self.server, "request": request, **params}
        if (seen := self.get("seen")) is not None:  # forgotten while a restored server is loaded
            query["seen"] = seen
        count, oldest = self.db.execute("SELECT count(*), min(made) FROM calls WHERE state = 'waiting'").fetchone()
        query["waiting"] = f"{count}.{max(0, int(time.time() - oldest)) if count else 0}"
        # Not compressed: of a response that is cut, every whole line can be used.
        headers = {"Authorization": f"api {self.token}", "Accept-Encoding": "identity"}
        data = None if body is None else dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        response = Response(self.url, method, f"/sync/1/{name}?{urlencode(query)}", headers, data)
        lines = response.lines()
        if response.status != 200:
            self.refused(response, parse_object(b"\n".join(lines)), request)
        head = parse_object(next(lines, b""))
        if head is None or head.get("server") != self.server or head.get("request") != request \
                or type(head.get("protocol")) is not int or type(head.get("now")) is not int \
                or not isinstance(head.get("history"), str):
            raise Stop("network", f"{name}: not a response of this server")
        if head["protocol"] != PROTOCOL:
            raise Stop("version", "the server speaks another protocol than it was asked for")
        self.now = head["now"]

        def objects() -> Iterator[dict[str, Any]]:
            for line in lines:
                value = parse_object(line)
                if value is None:  # half a line: everything after it is lost
                    return
                yield value
        return head, objects()

    def refused(self, response: Response, body: dict[str, Any] | None, request: str) -> None:
        """Raises what a response with a status other than 200 means."""
        # Vectors of refusals have no `server`; `request` shows that it is no cached or made-up response.
        code = body.get("code") if body else None
        if body is None or body.get("error") is not True or not isinstance(code, str) \
                or body.get("request") != request:
            raise Stop("network", f"status {response.status}, not of this server")
        if response.status == 401:
            raise Stop("signed-out", code)
        if response.status == 410 and code == "unknown-place":
            raise UnknownPlace
        if response.status == 410 and code == "other-server":
            self.set("proved", "")  # from now on without the token, until our server proves itself there
            raise Stop("other-server", code)
        if response.status in (426, 503) and code in ("client-too-old", "server-too-old"):
            raise Stop("version", code)
        self.pause(response.retry_after)
        raise Stop("busy", f"{response.status} {code}")

    def pause(self, retry_after: Any) -> None:
        """Remembers a Retry-After header (seconds) for the next try."""
        if isinstance(retry_after, (str, int)) and re.fullmatch(r"[0-9]{1,6}", str(retry_after).strip()):
            self.set("pause", time.time() + int(retry_after))

    def prove_address(self) -> None:
        """At a new address, asks which server it is before anything else, without sending the token."""
        if self.get("proved") == self.url:
            return
        parts = urlsplit(self.url)
        origin, nonce = f"{parts.scheme}://{parts.netloc}", base64.urlsafe_b64encode(os.urandom(33)).decode()
        request = uuid.uuid4().hex
        query = {"nonce": nonce, "origin": origin, "protocol": PROTOCOL, "server": self.server, "request": request}
        response = Response(self.url, "GET", f"/sync/1/identity?{urlencode(query)}",
                            {"Accept-Encoding": "identity"}, None)
        answer = parse_object(b"\n".join(response.lines()))
        if answer is None or not isinstance(answer.get("server"), str):
            self.refused(response, answer, request)
            return
        key = unbase64(answer.get("publicKey"))
        if base64.b32encode(hashlib.sha256(key).digest()).decode().lower()[:26] != answer["server"]:
            raise Stop("network", "not an identity")
        if answer["server"] != self.server:
            raise Stop("other-server", answer["server"])
        if answer.get("signature") is None:
            # Not proved, because nobody named this origin on the server. `open` named the address
            # and the token together, which stands for the person's consent here; ask again each time.
            print("the server at this address did not prove which one it is", file=sys.stderr)
            return
        message = f"benchbook server identity 1\n{origin}\n{nonce}".encode()
        if not ed25519_verifies(key, message, unbase64(answer["signature"])):
            raise Stop("network", "wrong signature")
        self.set("proved", self.url)

    # ---- sync

    def sync(self) -> dict[str, Any]:
        """Tries once to send, load and pull everything. Returns the answer of the command."""
        try:
            # Respect Retry-After as far as a command that shall try now can.
            time.sleep(min(SILENCE, max(0.0, float(self.get("pause") or 0) - time.time())))
            self.set("pause", None)
            self.prove_address()
            for _ in range(3):  # a server can be restored while we load from it, but not for ever
                try:
                    why = self.sync_once()
                    return {"ok": True} if why is None else {"ok": False, "why": why}
                except UnknownPlace:
                    with self.transaction():  # old checkpoints are worth nothing; the copy stays until the load is complete
                        for name in ("checkpoint", "seen", "loadFrom", "loadAfter"):
                            self.set(name, None)
                        self.set("restored", "load")
            raise Stop("busy", "unknown place again and again")
        except Stop as stop:
            print(stop, file=sys.stderr)
            return {"ok": False, "why": stop.why}

    def sync_once(self) -> str | None:
        """One pass through all steps. Returns why not all calls could be sent, or None."""
        if self.get("restored") == "load":
            self.load()
        if self.get("restored") == "answers":
            self.offer_again()  # before newer calls are sent
        why = self.send()
        if self.get("checkpoint") is None:
            self.load()
        self.pull()
        self.db.execute("DELETE FROM calls WHERE state = 'done' AND done < ?", (self.now - KEEP_MS,))
        return why

    def load(self) -> None:
        """Loads every record, or goes on with a load that was cut, and stores its checkpoint at the end."""
        while True:
            begun, after = self.get("loadFrom"), int(self.get("loadAfter") or 0)
            head, lines = self.ask("GET", "bootstrap", {"since": begun, "after": after} if begun else {})
            if place_seq(head.get("checkpoint")) is None or not is_seq(head.get("after")):
                raise Stop("network", "a load without a place")
            if not begun or head["after"] != after:  # the load begins (again)
                after = head["after"]
                with self.transaction():
                    self.set("loadFrom", head["checkpoint"])
                    self.set("loadAfter", after)
                    self.set("load", int(self.get("load") or 0) + 1)
                    if self.get("restored") is None:
                        self.note_seen(head["checkpoint"])
            tail = self.store_rows(lines, loading=True)
            if tail is None:
                raise Stop("network", "load was cut")
            if tail["more"]:
                if int(self.get("loadAfter") or 0) <= after:
                    raise Stop("busy", "the load does not go on")
                continue
            with self.transaction():
                self.db.execute("DELETE FROM records WHERE load < ?", (int(self.get("load") or 0),))
                self.set("checkpoint", self.get("loadFrom"))
                self.note_seen(self.get("loadFrom"))
                self.set("loadFrom", None)
                self.set("loadAfter", None)
                if self.get("restored"):
                    self.set("restored", "answers")
            return

    def pull(self) -> None:
        """Pulls until nothing more is there."""
        while True:
            since = self.get("checkpoint")
            _, lines = self.ask("GET", "pull", {"since": since})
            tail = self.store_rows(lines, loading=False)
            if tail is None:
                raise Stop("network", "pull was cut")
            if not tail["more"]:
                return
            if tail["checkpoint"] == since:
                raise Stop("busy", "the feed does not go on")

    def store_rows(self, lines: Iterator[dict[str, Any]], loading: bool) -> dict[str, Any] | None:
        """Stores the rows of a load or a pull. Returns the tail, or None if the response was cut.

        A load commits pieces, each with its place. A pull commits all its rows with the checkpoint.
        """
        rows: list[dict[str, Any]] = []
        tail: dict[str, Any] | None = None

        def commit() -> None:
            with self.transaction():
                for row in rows:
                    self.apply(row)
                if loading and rows:
                    self.set("loadAfter", rows[-1]["seq"])
                if tail and not loading:
                    self.set("checkpoint", tail["checkpoint"])
                    self.note_seen(tail["checkpoint"])
            rows.clear()

        for line in lines:
            if is_row(line):
                rows.append(line)
                if loading and len(rows) >= 500:
                    commit()
            elif place_seq(line.get("checkpoint")) is not None and isinstance(line.get("more"), bool):
                tail = line
                break
        commit()
        return tail

    # ---- the queue

    def add_call(self, call: dict[str, Any]) -> str:
        """Stores a call durably and returns its new key."""
        key = uuid7()
        stored = {"id": key, **{name: value for name, value in call.items() if name != "id" and value is not None}}
        self.db.execute("INSERT INTO calls (id, lane, call, state, made) VALUES (?, ?, ?, 'waiting', ?)",
                        (key, call["lane"], dumps(stored), time.time()))
        return key

    def send(self) -> str | None:
        """Sends the queue in batches, each call at most once. Returns why some calls must wait, or None."""
        tried: set[str] = set()
        why: str | None = None
        while calls := self.next_batch(tried):
            left = {call["id"] for call in calls}
            tried |= left
            _, lines = self.ask("POST", "batch", {}, {"protocol": PROTOCOL, "calls": calls})
            for line in lines:
                if line.get("id") in left and type(line.get("status")) is int:
                    left.discard(line["id"])
                    why = self.take_answer(line) or why
            if left:
                raise Stop("network", "batch was cut")
        return why

    def next_batch(self, tried: set[str]) -> list[dict[str, Any]]:
        """Chooses the calls that can be sent now, in the order in which they were made."""
        lanes: set[str] = set()  # lanes that wait behind a call
        held: set[str] = set()  # keys of calls that are not sent now
        chosen: dict[int, str] = {}
        chosen_lanes: set[str] = set()
        size = 0
        for n, key, lane, text, state in self.db.execute(
                "SELECT n, id, lane, call, state FROM calls WHERE state <> 'done' ORDER BY n").fetchall():
            if state == "waiting" and len(text) > MAX_BYTES:  # no server would ever take it
                self.db.execute("UPDATE calls SET state = 'refused' WHERE n = ?", (n,))
                state = "refused"
            # A call that names a record which does not exist yet would be refused for good.
            if state != "waiting" or key in tried or lane in lanes or any(f"tmp:{other}" in text for other in held):
                lanes.add(lane)
                held.add(key)
                continue
            added = {n: text} if lane in chosen_lanes else self.with_previous(n, lane, text)
            size += sum(len(each) + 1 for each in added.values())
            if chosen and (size > MAX_BYTES or len(chosen) + len(added) > MAX_CALLS):
                break
            chosen |= added
            chosen_lanes.add(lane)
        return [json.loads(chosen[n]) for n in sorted(chosen)]

    def with_previous(self, n: int, lane: str, text: str) -> dict[int, str]:
        """Makes `"revisionid":"previous"` meaningful for the first call of a lane in a batch.

        Confirmed calls before it are sent once more, which changes nothing: the server then knows the
        revision, and the call itself stays the same request under its key (another one gets 422).
        Takes the number, lane and text of the call; returns the texts to send by number.
        """
        added, first, last_revision = {n: text}, n, None
        while (json.loads(added[first]).get("query") or {}).get("revisionid") == "previous":
            row = self.db.execute("SELECT n, call, revision FROM calls WHERE lane = ? AND n < ? ORDER BY n DESC",
                                  (lane, first)).fetchone()
            if row is None:
                break
            last_revision = last_revision if len(added) > 1 else row[2]
            first = row[0]
            added[first] = row[1]
            if len(added) > MAX_CHAIN or sum(map(len, added.values())) > MAX_BYTES:
                if last_revision is None:
                    return {n: text}
                call = json.loads(text)  # too long a chain: name the revision, durably, for every repeat
                call["query"]["revisionid"] = last_revision
                self.db.execute("UPDATE calls SET call = ? WHERE n = ?", (dumps(call), n))
                return {n: dumps(call)}
        return added

    def take_answer(self, line: dict[str, Any]) -> str | None:
        """Stores what a line of `batch` or `answers` says. Returns why the call must wait, if it must."""
        status, key, headers = line["status"], line["id"], line.get("headers")
        rows = [row for row in line.get("rows") or [] if isinstance(row, dict) and is_row(row)]
        why = state = revision = None
        if 200 <= status < 300:
            state = "done"
            if line.get("replayed") is False:  # otherwise the rows can show later revisions
                revision = next((str(row["doc"]["revisionid"]) for row in rows
                                 if row.get("key") == key and "revisionid" in (row.get("doc") or {})), None)
        elif status == 401:
            why = "signed-out"
        elif status == 409:
            state = "conflict"
        elif 400 <= status < 500 and status not in LATER:
            state = "refused"
        elif status != 0:
            why = "busy"
            self.pause(headers.get("retry-after") if isinstance(headers, dict) else None)
        with self.transaction():  # the effect arrives and the call leaves the queue at the same moment
            if state:  # a call that took effect never comes back by an answer
                self.db.execute("UPDATE calls SET state = ?, done = ?, revision = ?, answer = ?"
                                " WHERE id = ? AND state <> 'done'",
                                (state, self.now, revision, dumps([status, line.get("body")]), key))
            for row in rows:
                self.apply(row)
            self.note_seen(line.get("place"))
        return why

    def offer_again(self) -> None:
        """After a restore, puts the calls that the server lost back into the queue, at their old places."""
        kept = [row[0] for row in self.db.execute(
            "SELECT id FROM calls WHERE state = 'done' AND done >= ? ORDER BY n", (self.now - KEEP_MS,))]
        for start in range(0, len(kept), MAX_CALLS):
            left = set(kept[start:start + MAX_CALLS])
            _, lines = self.ask("POST", "answers", {}, {"keys": kept[start:start + MAX_CALLS]})
            for line in lines:
                if line.get("id") not in left:
                    continue
                if line.get("unknown") is True:
                    self.db.execute("UPDATE calls SET state = 'waiting', done = NULL, revision = NULL WHERE id = ?",
                                    (line["id"],))
                elif type(line.get("status")) is int:
                    self.take_answer(line)
                else:
                    continue
                left.discard(line["id"])
            if left:  # there is no tail: only a line for each key shows that nothing was cut
                raise Stop("network", "answers were cut")
        self.set("restored", None)

    # ---- what the program shows

    def records(self) -> dict[str, Any]:
        """The documents of the copy by `collection/id`."""
        return {f"{c}/{id}": json.loads(doc) for c, id, doc in self.db.execute(
            "SELECT c, id, doc FROM records WHERE doc IS NOT NULL ORDER BY c, id")}

    def queue(self) -> list[dict[str, str]]:
        """The calls that did not take effect yet, in their order, with their states."""
        return [{"id": key, "state": state} for key, state in self.db.execute(
            "SELECT id, state FROM calls WHERE state <> 'done' ORDER BY n")]


def main() -> None:
    """Answers the commands of stdin until it ends."""
    client: Client | None = None
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            command = json.loads(line)
            do, answer = command["do"], {"ok": True}
            if do == "open":
                if client:
                    client.db.close()
                client = Client(command["folder"], command["url"], command["token"], command["server"])
            elif client is None:
                raise ValueError("open comes first")
            elif do == "call":
                answer = {"ok": True, "id": client.add_call(command["call"])}
            elif do == "sync":
                answer = client.sync()
            elif do == "records":
                answer = {"records": client.records()}
            elif do == "queue":
                answer = {"queue": client.queue()}
            else:
                raise ValueError(f"unknown command {do}")
        except Exception:  # nothing half-done is stored, so the next command can go on
            traceback.print_exc()
            answer = {"ok": False, "why": "network"}
        print(dumps(answer), flush=True)


if __name__ == "__main__":
    main()
