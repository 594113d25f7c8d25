"""Measurements that ship with the project; each prints what it saw, none is a test."""
