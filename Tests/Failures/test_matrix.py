# Promises P10, P42, P50, P85.
"""The failure matrix is the one of Docs/Failures.md, and no cell allows anything."""

import dataclasses
import unittest

import conditions
import matrix
from front_ends import OLD_BIN


class MatrixTests(unittest.TestCase):
    conditions, allowing = matrix.CONDITIONS, [conditions.ALLOWING]

    @classmethod
    def setUpClass(cls):
        cls.page = matrix.PAGE.read_text()
        cls.cells, cls.left_out = matrix.matrix(matrix.FRONT_ENDS, cls.conditions)
        # A busy machine may delay a cell: it counts as it is when measured alone.
        cls.cells = [
            cell if matrix.row(cell) in cls.section(cell) else matrix.measure(cell.front_end, cell.condition) for cell in cls.cells]
        # systemd-ask-password and its request end at the same time, so either end may be recorded. The page has one of them.
        cls.cells = [
            dataclasses.replace(cell, record="`cancelled` (`requester`)")
            if "ask-password-agent" in cell.front_end.name and cell.record.startswith("`expired`") else cell for cell in cls.cells]

    @classmethod
    def section(cls, cell):
        return cls.page.partition(f"\n## {cell.front_end.name}\n")[2].partition("\n## ")[0]

    def test_notices_a_permission(self):
        # An agent's process may not answer, and this process does. So timeout(1) plays the agent.
        asking = [
            dataclasses.replace(each, command=lambda *all, command=each.command: ["timeout", "--foreground", "60", *command(*all)])
            for each in matrix.FRONT_ENDS if "PostToolUse" not in each.name]
        for cell in matrix.matrix(asking, self.allowing)[0]:
            with self.subTest(cell.front_end.name, condition=cell.condition.name):
                self.assertTrue(cell.allows, cell)

    def test_allows_nothing(self):
        self.assertGreater(len(self.cells), 0)
        for cell in self.cells:
            with self.subTest(cell.front_end.name, condition=cell.condition.name):
                self.assertFalse(cell.allows, cell)

    def test_is_as_documented(self):
        for cell in self.cells:
            with self.subTest(cell.front_end.name, condition=cell.condition.name):
                self.assertIn(matrix.row(cell), self.section(cell), "to update the page: Tests/Failures/matrix.py --write")
        if not self.left_out and self.conditions == matrix.CONDITIONS:
            self.assertEqual(self.page, matrix.page(self.cells))


@unittest.skipUnless(OLD_BIN, "scripts/test-versions builds the programs of the last version")
class VersionTests(MatrixTests):
    """The same for a daemon and a client of the last version: the person's answer gets through, and nothing else."""

    conditions, allowing = conditions.VERSIONS, conditions.ALLOWING_VERSIONS
