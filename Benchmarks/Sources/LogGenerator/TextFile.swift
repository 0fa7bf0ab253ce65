import Glibc

@testable import Router
@testable import RouterCore
@testable import RouterLog

/// A text format of events that another tool reads.
protocol TextForm {
  func text(of event: JSONValue, _ stored: Event, _ presentation: Presentation?) -> String
}

/// A file in such a format.
struct TextFile {
  private let file: UnsafeMutablePointer<FILE>
  private let form: any TextForm

  init(_ path: String, _ form: any TextForm) {
    guard let file = fopen(path, "w") else {
      perror(path)
      exit(74)
    }
    setvbuf(file, nil, _IOFBF, 1 << 20)
    self.file = file
    self.form = form
  }

  func write(_ event: JSONValue, of stored: Event, _ presentation: Presentation?) {
    fputs(form.text(of: event, stored, presentation), file)
  }

  func close() {
    fclose(file)
  }
}

/// One event per line, as in `routerctl log export --events`, plus the app and the outcome, because each line must stand alone.
struct JSONLines: TextForm {
  func text(of event: JSONValue, _ stored: Event, _ presentation: Presentation?) -> String {
    guard case .object(var members) = event else { return "" }
    members["app"] = .optional(presentation?.requester.app)
    return JSONValue.object(members).description + "\n"
  }
}

/// systemd's journal export format, which systemd-journal-remote converts to a journal.
struct JournalExport: TextForm {
  func text(of event: JSONValue, _ stored: Event, _ presentation: Presentation?) -> String {
    let microseconds = stored.at.milliseconds * 1000
    var text = "__REALTIME_TIMESTAMP=\(microseconds)\n__MONOTONIC_TIMESTAMP=\(microseconds - 1_789_000_000_000_000)\n"
    text += "_BOOT_ID=6f7a1b0c2d3e4f5061728394a5b6c7d8\nPRIORITY=6\nEVENT=\(stored.kind.rawValue)\n"
    text += "PRESENTATION=\(stored.presentation?.description ?? "")\n"
    if let presentation {
      text += "SYSLOG_IDENTIFIER=\(presentation.requester.app)\n_UID=\(presentation.requester.process.uid)\n"
      if stored.kind != .requested, let outcome = presentation.outcome { text += "OUTCOME=\(outcome.name.rawValue)\n" }
      text +=
        "MESSAGE=\(stored.kind.rawValue): \(presentation.request.title ?? "") \(presentation.request.message ?? "")\n"
    } else {
      text += "MESSAGE=\(stored.kind.rawValue)\n"
    }
    return text + "DETAIL=\(stored.detailText)\n\n"
  }
}

/// auditd's log format.
struct AuditdLines: TextForm {
  func text(of event: JSONValue, _ stored: Event, _ presentation: Presentation?) -> String {
    let (seconds, rest) = stored.at.milliseconds.quotientAndRemainder(dividingBy: 1000)
    let fraction = String(1000 + rest).dropFirst()
    let process = presentation?.requester.process
    let name = presentation?.requester.app ?? "routerd"
    return """
      type=USER msg=audit(\(seconds).\(fraction):\(event["seq"]?.description ?? "0")): pid=\(process?.pid ?? 1) \
      uid=\(process?.uid ?? 0) auid=\(process?.uid ?? 0) ses=1 msg='op=\(stored.kind.rawValue) \
      id=\(stored.presentation?.description ?? "") acct="\(name)" exe="/usr/bin/\(name)" \
      title="\(presentation?.request.title ?? "")" note="\(presentation?.request.message ?? "")" \
      hostname=? addr=? terminal=? res=\(presentation?.outcome?.name.rawValue ?? "success")'\n
      """
  }
}
