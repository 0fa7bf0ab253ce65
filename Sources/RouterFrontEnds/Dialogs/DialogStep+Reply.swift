import Router

extension DialogStep {
  /// Returns dialog's output, without a newline, and its exit status; `nil` if the box could not be shown.
  ///
  /// - Parameter environment: Looks up variables that change exit statuses, such as DIALOG_ESC.
  func reply(_ result: DialogBox.Result, environment: (String) -> String?) -> DialogReply? {
    func status(_ name: String, _ number: Int32) -> Int32 { Self.number(environment("DIALOG_" + name)) ?? number }
    switch result {
    case .pressed(.ok, let values): return DialogReply(output: output(values), status: status("OK", 0))
    case .pressed(.extra, let values): return DialogReply(output: output(values), status: status("EXTRA", 3))
    case .pressed(.cancel, _): return DialogReply(status: status("CANCEL", 1))
    case .pressed(.help, let values):
      let isItemHelp = kind.isList && options.has("item-help")
      let plain = status("HELP", 2)
      return DialogReply(output: help(values), status: isItemHelp ? status("ITEM_HELP", plain) : plain)
    case .closed: return DialogReply(status: status("ESC", 255))
    case .expired where kind == .pause: return DialogReply(status: status("OK", 0))
    case .expired:
      guard let number = Self.number(environment("DIALOG_TIMEOUT")) else { return DialogReply(status: status("ESC", 255)) }
      return DialogReply(diagnostic: "\ntimeout\n", status: number)
    case .withdrawn: return DialogReply(status: status("ERROR", 255))
    case .unavailable: return nil
    }
  }

  /// Parses a whole string as strtol(3) does with base 0.
  private static func number(_ text: String?) -> Int32? {
    guard let text else { return nil }
    if text.lowercased().begins(with: "0x") { return Int32(text.dropFirst(2), radix: 16) }
    if text.count > 1, text.begins(with: "0") { return Int32(text.dropFirst(), radix: 8) }
    return Int32(text)
  }

  private func output(_ values: [DialogBox.Value]) -> String {
    switch kind {
    case .inputbox, .passwordbox: return values.first?.text ?? ""
    case .menu, .radiolist:
      let chosen = values.first?.row.map { text(tags[$0]) } ?? ""
      return kind == .radiolist && !chosen.isEmpty ? (options["output-separator"] ?? "") + chosen : chosen
    case .checklist: return chosen(values, after: "")
    default: return ""
    }
  }

  private func help(_ values: [DialogBox.Value]) -> String {
    guard kind.isList else { return output(values) }
    // Help applies to the marked row: the chosen row, otherwise the first.
    let row = values.first?.row ?? 0
    let tag = options.has("item-help") && !options.has("help-tags") ? helps[row] : tags[row]
    guard kind == .checklist, options.has("help-status") else { return "HELP " + text(tag) }
    return chosen(values, after: "HELP " + (hasLines ? text(tag) + "\n" : quoted(tag)))
  }

  private var hasLines: Bool { options.has("separate-output") }

  private func chosen(_ values: [DialogBox.Value], after start: String) -> String {
    let separator = options["output-separator"]
    return zip(tags, values).filter { $1.isOn }.reduce(into: start) { output, row in
      if hasLines {
        output += text(row.0) + (separator ?? "\n")
      } else {
        // An explicit separator also precedes the first tag.
        if separator != nil || !output.isEmpty { output += separator ?? " " }
        output += quoted(row.0)
      }
    }
  }

  /// Formats a tag as a menu or radio list prints it.
  private func text(_ tag: String) -> String { options.has("quoted") ? quoted(tag) : tag }

  /// Formats a tag as a checklist prints it: quoted only if a shell needs it.
  private func quoted(_ tag: String) -> String {
    let isSingle = options.has("single-quoted")
    let quote: Unicode.Scalar = isSingle ? "'" : "\""
    let always = "\n\\".unicodeScalars
    let special = always + "[]{}?*;`~#$^&()|<>".unicodeScalars
    // By code point: a combining mark must not hide a quotation mark.
    let scalars = tag.unicodeScalars
    guard tag.isEmpty || scalars.contains(where: { $0 == quote || $0 == "\t" || $0 == " " || special.contains($0) }) else {
      return tag
    }
    var output = String.UnicodeScalarView([quote])
    for scalar in scalars {
      if scalar == quote || (isSingle ? always : special).contains(scalar) { output.append("\\") }
      output.append(scalar)
    }
    output.append(quote)
    return String(output)
  }
}
