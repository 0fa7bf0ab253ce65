package import RouterCore
import RouterSystem

extension OutputStyle {
  /// The number of columns for a fact in a line of the band.
  package var bandRoom: Int { width - 16 }

  /// Returns a line of the band that names the requester. It begins in the first column and is the only text in reverse video,
  /// so that a requester's text cannot imitate it.
  package func band(_ label: String, _ text: String) -> String {
    inBand(label + String(repeating: " ", count: max(0, 14 - label.columns)) + text)
  }

  private func inBand(_ line: String) -> String {
    let rest = String(repeating: " ", count: hasColor ? max(0, width - 2 - line.columns) : 0)
    return self.text("█ ", .magenta) + self.text(line + rest, .reverse, .bold)
  }

  /// Returns the rows that name the requester: one or two quiet rows, loud rows for unusual facts, and all facts on demand.
  ///
  /// - Parameter maximumRows: The number of quiet rows. There are at most three times as many loud rows.
  package func asker(of prompt: PromptDescription, isDetailed: Bool, maximumRows: Int = 2) -> [String] {
    let brief = prompt.brief.escapedForTerminal().wrapped(to: width - 2)
    let facts =
      !isDetailed
      ? []
      : prompt.asker.flatMap { fact in
        // A path is also untrusted text: indents wrapped lines, and limits the length so that a path cannot push the rest out
        // of view.
        fact.text.escapedForTerminal().cut(to: 3 * bandRoom - 3).wrapped(to: bandRoom).enumerated().map {
          band($0 == 0 ? fact.label : "", $1)
        }
      }
    return brief.joined(toLines: maximumRows, columns: width - 2).filter { !$0.isEmpty }.map {
      text("█ ", .magenta) + text($0, .dim)
    } + oddities(of: prompt, maximumRows: isDetailed ? .max : 3 * maximumRows) + facts
  }

  /// The width below which unusual facts use whole lines, to need fewer of them.
  private static let wideColumns = 60

  private func oddities(of prompt: PromptDescription, maximumRows: Int) -> [String] {
    let (label, isWide) = ("look twice", width >= Self.wideColumns)
    let room = isWide ? bandRoom : width - 4
    let odd = prompt.oddities.map { $0.escapedForTerminal().cut(to: 2 * room - 2) }
    guard !odd.isEmpty else { return [] }
    let lines = isWide ? odd.flatMap { $0.wrapped(to: room) } : "\(label): \(odd.joined(separator: "; "))".wrapped(to: room)
    return lines.joined(toLines: maximumRows, columns: room).enumerated().map { index, line in
      isWide ? band(index == 0 ? label : "", line) : inBand((index == 0 ? "" : "  ") + line)
    }
  }

  /// Returns a prompt's text behind a bar, which keeps it out of the first column, below the headings of the prompts under it;
  /// and the number of lines up to the end of its commands and diffs.
  ///
  /// - Parameter isDetailed: Whether the requester's statements about commands and diffs are shown in full.
  package func text(
    of prompt: PromptDescription, below parents: [String] = [], isDetailed: Bool = true
  ) -> (lines: [String], exactEnd: Int) {
    let isCritical = prompt.severity == .critical
    var lines = parents.map { bar(self.text($0.escapedForTerminal().cut(to: width - 8) + " ›", .dim)) }
    lines += (isCritical ? [bar(text("! critical", .red, .bold))] : [])
    if prompt.isHeadingVisible { lines += isCritical ? quoted(prompt.heading, .red, .bold) : quoted(prompt.heading, .bold) }
    add(prompt.blocks.prefix { !$0.isQuoted }, to: &lines)
    let exactEnd = lines.count
    let said = prompt.blocks.drop { !$0.isQuoted }
    if !said.isEmpty { lines += quotation(said.prefix(while: \.isQuoted), of: prompt, isDetailed: isDetailed) }
    add(said.drop(while: \.isQuoted), to: &lines)
    if let payload = prompt.payload { lines += [bar("")] + quoted(payload.description, .dim) }
    return (lines, exactEnd)
  }

  /// Returns the command or change of another prompt, in full, under a line that names its requester.
  func text(ofOther presentation: Presentation) -> [String] {
    let prompt = PromptDescription(presentation, request: presentation.request)
    let name = RequesterName(presentation).text(to: width - 16)
    let faces = presentation.sessionFace.map { [$0, .bold] } ?? [.dim]
    var lines = [bar(""), bar(text("also, from ", .dim) + text(name, faces) + text(":", .dim))]
    if prompt.isHeadingVisible { lines += quoted(prompt.heading, .bold) }
    for block in prompt.blocks.prefix(while: { !$0.isQuoted }) { lines += self.lines(of: block) }
    return lines
  }

  private func add(_ blocks: ArraySlice<PromptDescription.Block>, to lines: inout [String]) {
    var previous: PromptDescription.Block.Kind?
    for block in blocks {
      let isApart = block.kind != .item || previous != .item
      if !lines.isEmpty, isApart, !block.isWarning { lines.append(bar("")) }
      lines += self.lines(of: block)
      previous = block.kind
    }
  }

  /// The number of lines of the requester's statement about a command that are shown at first.
  private static let quotedLines = 2

  private func quotation(
    _ blocks: ArraySlice<PromptDescription.Block>, of prompt: PromptDescription, isDetailed: Bool
  ) -> [String] {
    var quote: [String] = []
    add(blocks, to: &quote)
    let hidden = isDetailed ? 0 : quote.count - Self.quotedLines
    // The line that counts hidden lines replaces one of them.
    let more = hidden > 1 ? hidden : 0
    return [bar(""), bar(text("\(prompt.speaker.escapedForTerminal()) says:", .dim))] + quote.dropLast(more)
      + (more > 0 ? [bar(text("… \(more) more lines: press ?", .dim))] : [])
  }

  package func quoted(_ text: String, _ faces: Face...) -> [String] {
    text.escapedForTerminal(keepsNewlines: true).wrapped(to: width - 4).map { bar(self.text($0, faces)) }
  }

  package func bar(_ line: String) -> String { text("│", .magenta) + (line.isEmpty ? "" : " " + line) }

  private func lines(of block: PromptDescription.Block) -> [String] {
    switch block.kind {
    case .paragraph where block.isQuoted: return wrapped(block.runs, to: width - 6, .dim).map { bar("  " + $0) }
    case .paragraph: return wrapped(block.runs, to: width - 4).map(bar)
    case .heading: return wrapped(block.runs, to: width - 4, .bold).map(bar)
    case .item:
      let marker = String(repeating: "  ", count: block.level) + (block.label ?? "") + " "
      let margin = String(repeating: " ", count: marker.columns)
      return wrapped(block.runs, to: max(8, width - 4 - margin.columns)).enumerated().map {
        bar(($0 == 0 ? marker : margin) + $1)
      }
    case .code:
      let label = block.label.map { $0.escapedForTerminal().cut(to: width - 4) }
      return (label.map { [bar(text($0, .dim))] } ?? []) + code(block.runs).map(bar)
    }
  }

  /// Returns lines of code in full. A long line continues after an arrow, in a column that code never reaches.
  private func code(_ runs: [PromptDescription.Run]) -> [String] {
    let room = max(4, width - 6)
    var lines: [String] = []
    for line in StyledScalar.lines(of: runs.map(escaped)) {
      var (start, used) = (line.startIndex, 0)
      func add(_ end: Int) {
        lines.append((start == line.startIndex ? "  " : text("↳ ", .dim)) + draw(line[start..<end]))
        (start, used) = (end, 0)
      }
      for (index, scalar) in line.enumerated() {
        let columns = scalar.scalar.columns
        if used + columns > room { add(index) }
        used += columns
      }
      add(line.endIndex)
    }
    return lines
  }

  private func wrapped(_ runs: [PromptDescription.Run], to columns: Int, _ faces: Face...) -> [String] {
    let runs = runs.map(escaped)
    let scalars = runs.flatMap(StyledScalar.scalars)
    var next = 0
    return runs.map(\.text).joined().wrapped(to: columns).map { line in
      // Wrapping drops only spaces and line feeds.
      let styled = line.unicodeScalars.map { scalar in
        while scalars[next].scalar != scalar { next += 1 }
        next += 1
        return scalars[next - 1]
      }
      return draw(styled[...], faces)
    }
  }

  private func escaped(_ run: PromptDescription.Run) -> PromptDescription.Run {
    var run = run
    run.text = run.text.escapedForTerminal(keepsNewlines: true)
    // Without colors, marks code with Markdown's backquotes.
    if !hasColor, run.styles.contains(.code) { run.text = "`\(run.text)`" }
    return run
  }

  private func draw(_ line: ArraySlice<StyledScalar>, _ faces: [Face] = []) -> String {
    var output = ""
    var rest = line
    while let first = rest.first {
      let run = rest.prefix { $0.styles == first.styles }
      rest = rest.dropFirst(run.count)
      output += text(String(String.UnicodeScalarView(run.map(\.scalar))), faces + first.styles.map(\.face))
    }
    return output
  }
}

extension [String] {
  /// Returns at most `count` lines, with the remaining text in the last line as far as it fits.
  fileprivate func joined(toLines count: Int, columns: Int) -> [String] {
    self.count <= count ? self : prefix(count - 1) + [dropFirst(count - 1).joined(separator: " ").cut(to: columns)]
  }
}

/// A code point with its style.
private struct StyledScalar {
  let scalar: Unicode.Scalar
  let styles: [PromptDescription.Run.Style]

  static func scalars(_ run: PromptDescription.Run) -> [StyledScalar] {
    run.text.unicodeScalars.map { Self(scalar: $0, styles: run.styles) }
  }

  static func lines(of runs: [PromptDescription.Run]) -> [[StyledScalar]] {
    runs.flatMap(scalars).split(omittingEmptySubsequences: false) { $0.scalar == "\n" }.map(Array.init)
  }
}

extension PromptDescription.Run.Style {
  /// The style of the run. Never the band's, which names the requester.
  fileprivate var face: OutputStyle.Face {
    switch self {
    case .strong: .bold
    case .emphasis, .address: .underline
    case .code, .hunk: .magenta
    case .added: .green
    case .removed, .risk: .red
    case .mark: .highlight
    }
  }
}
