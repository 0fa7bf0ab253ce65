package import RouterCore

extension OutputStyle {
  /// The number of columns for a fact in a line of the band.
  package var bandRoom: Int { width - 16 }

  /// A line of the band that names the requester. It begins in the first column and is the only text in reverse video, so that
  /// a requester's text cannot imitate it.
  package func band(_ label: String, _ text: String) -> String {
    let line = label + String(repeating: " ", count: max(0, 14 - label.columns)) + text
    let rest = String(repeating: " ", count: hasColor ? max(0, width - 2 - line.columns) : 0)
    return self.text("█ ", .cyan) + self.text(line + rest, .reverse, .bold)
  }

  /// A prompt's text behind a bar, which keeps it out of the first column, below the headings of the prompts under it.
  package func text(of prompt: PromptDescription, below parents: [String] = []) -> [String] {
    let isCritical = prompt.severity == .critical
    var lines = parents.map { bar(self.text($0.escapedForTerminal().cut(to: width - 8) + " ›", .dim)) }
    lines += (isCritical ? [bar(text("! critical", .red, .bold))] : [])
    if prompt.isHeadingVisible { lines += isCritical ? quoted(prompt.heading, .red, .bold) : quoted(prompt.heading, .bold) }
    var previous: PromptDescription.Block.Kind?
    for block in prompt.blocks {
      if !lines.isEmpty, block.kind != .item || previous != .item { lines.append(bar("")) }
      lines += self.lines(of: block)
      previous = block.kind
    }
    if let payload = prompt.payload { lines += [bar("")] + quoted(payload.description, .dim) }
    return lines
  }

  package func quoted(_ text: String, _ faces: Face...) -> [String] {
    text.escapedForTerminal(keepsNewlines: true).wrapped(to: width - 4).map { bar(self.text($0, faces)) }
  }

  package func bar(_ line: String) -> String { text("│", .cyan) + (line.isEmpty ? "" : " " + line) }

  private func lines(of block: PromptDescription.Block) -> [String] {
    switch block.kind {
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

  /// Lines of code in full. A line that does not fit continues behind an arrow, in a column that code never reaches.
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
      // Wrapping drops spaces and line feeds, and nothing else.
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
    // Without colors, Markdown's backquotes mark code.
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

/// A code point and how it is drawn.
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
  /// None of these faces is the band's, which names the requester.
  fileprivate var face: OutputStyle.Face {
    switch self {
    case .strong: .bold
    case .emphasis, .address: .underline
    case .code, .hunk: .cyan
    case .added: .green
    case .removed: .red
    case .mark: .yellow
    }
  }
}
